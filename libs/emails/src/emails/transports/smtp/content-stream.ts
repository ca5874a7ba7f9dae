import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { inSlices } from '../../../shared/bytes/in-slices.js';
import { DotStuffing } from './dot-stuffing.js';

/** Writes the content of a large message into a socket, in pieces. */
export class ContentStream {
  private source: Readable | undefined;
  private isCancelled = false;
  /** Ends the wait for room in the socket. */
  private wake = () => {};

  constructor(private readonly socket: Socket) {}

  /**
   * Writes everything except the end. Resolves with the end, or with undefined when it was cancelled. Rejects when the
   * content cannot be read completely.
   */
  async write(raw: Buffer | (() => Readable)): Promise<Buffer | undefined> {
    const stuffing = new DotStuffing();
    this.source = Buffer.isBuffer(raw) ? Readable.from([raw]) : raw();
    for await (const piece of inSlices(this.source)) {
      if (this.isCancelled) return undefined;
      if (!this.socket.write(stuffing.next(piece))) await this.room();
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
