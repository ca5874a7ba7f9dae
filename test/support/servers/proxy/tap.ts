/**
 * `request`: complete from the client, before it is passed on. `answer`: complete from the server, before it is passed
 * on.
 */
export type Moment = 'request' | 'answer';

/** Called at both moments of each exchange. The bytes go on when its result has resolved. */
export type Watcher<Exchange> = (moment: Moment, exchange: Exchange) => Promise<void> | undefined;

/** Parses one connection. Each call returns the bytes that may be passed on now. */
export interface Tap {
  fromClient(bytes: Buffer): Promise<Buffer>;
  fromServer(bytes: Buffer): Promise<Buffer>;
}

export type TapFactory<Exchange> = (watch: (moment: Moment, exchange: Exchange) => Promise<void>) => Tap;

/** For a protocol that needs no parsing here. */
export const noTap: TapFactory<never> = () => ({
  fromClient: async (bytes) => bytes,
  fromServer: async (bytes) => bytes,
});
