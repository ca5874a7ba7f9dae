/** `request`: complete from the client and not passed on yet. `answer`: complete from the server and not passed on yet. */
export type Moment = 'request' | 'answer';

/** Told of each exchange at both moments. What it returns is waited for before the bytes go on. */
export type Watcher<Exchange> = (moment: Moment, exchange: Exchange) => Promise<void> | undefined;

/** Reads along on one connection. Each call gives the bytes that may be passed on now. */
export interface Tap {
  fromClient(bytes: Buffer): Promise<Buffer>;
  fromServer(bytes: Buffer): Promise<Buffer>;
}

export type TapFactory<Exchange> = (watch: (moment: Moment, exchange: Exchange) => Promise<void>) => Tap;

/** For a protocol that nobody needs to understand here. */
export const noTap: TapFactory<never> = () => ({
  fromClient: async (bytes) => bytes,
  fromServer: async (bytes) => bytes,
});
