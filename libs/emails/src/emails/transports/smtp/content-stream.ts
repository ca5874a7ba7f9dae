import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { DotStuffing } from './dot-stuffing.js';

/** The content of a message that is too large to be held in memory, on its way into a socket. */
export class ContentStream {
  private source: Readable | undefined;
  private isCancelled = false;
  /** Ends the wait for room in the socket. */
  private wake = () => {};

  constructor(private readonly socket: Socket) {}

  /**
   * Writes all of it but its end. Resolves with that, and with undefined when it was cancelled; rejects when it cannot be
   * read to its end.
   */
  async write(open: () => Readable): Promise<Buffer | undefined> {
    const stuffing = new DotStuffing();
    this.source = open();
    for await (const piece of this.source) {
      if (this.isCancelled) return undefined;
      if (!this.socket.write(stuffing.next(Buffer.from(piece)))) await this.room();
    }
    return this.isCancelled ? undefined : stuffing.end();
  }

  cancel(): void {
    this.isCancelled = true;
    this.source?.destroy();
    this.wake();
  }

  private room(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.socket.off('drain', this.wake);
        resolve();
      };
      this.socket.on('drain', this.wake);
      if (this.isCancelled) this.wake();
    });
  }
}
