import type { Socket } from 'node:net';

const END_OF_LINE = Buffer.from('\r\n');
const END_OF_DATA = Buffer.from('\r\n.\r\n');

/** What has come on a socket, taken bit by bit. Undefined when the peer has gone before it was complete. */
export class ByteReader {
  private bytes: Buffer = Buffer.alloc(0);
  private ended = false;
  private wake = () => {};

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.wake();
    });
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.ended = true;
        this.wake();
      });
    }
  }

  async line(): Promise<string | undefined> {
    return (await this.through(END_OF_LINE))?.toString('latin1').slice(0, -END_OF_LINE.length);
  }

  /** The message with the dot that ends it, dots still stuffed (RFC 5321, section 4.5.2). */
  message(): Promise<Buffer | undefined> {
    return this.through(END_OF_DATA);
  }

  /** Resolves when that many bytes wait to be taken. */
  async has(count: number): Promise<void> {
    while (this.bytes.length < count && !this.ended) await this.more();
  }

  private async through(end: Buffer): Promise<Buffer | undefined> {
    for (;;) {
      const found = this.bytes.indexOf(end);
      if (found >= 0) {
        const taken = this.bytes.subarray(0, found + end.length);
        this.bytes = this.bytes.subarray(taken.length);
        return taken;
      }
      if (this.ended) return undefined;
      await this.more();
    }
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
