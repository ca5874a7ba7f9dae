import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tap } from './tap.js';

/** Faults of a connection. Durations are in milliseconds. */
export type Fault =
  | { kind: 'delay'; by: number }
  | { kind: 'trickle'; every: number }
  | { kind: 'reset' }
  /** The server's side of the connection ends; the client may continue to send. */
  | { kind: 'halfClose' }
  /** Bytes vanish silently, on this connection permanently. */
  | { kind: 'blackHole' }
  /** The connection breaks after this many more bytes, in both directions together. */
  | { kind: 'cut'; after: number };

/** One connection through a proxy. */
export class Link {
  /** Resolves when both sides are closed. */
  readonly ended: Promise<unknown>;
  private readonly broken: Promise<void>;
  private lost = false;
  private halfClosed = false;
  private allowance = Number.POSITIVE_INFINITY;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    tap: Tap,
    private readonly fault: () => Fault | undefined,
  ) {
    const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
    this.broken = Promise.race([closed(client), closed(server)]);
    this.ended = Promise.all([closed(client), closed(server)]);
    this.pump(client, server, (bytes) => tap.fromClient(bytes));
    this.pump(server, client, (bytes) => tap.fromServer(bytes));
  }

  suffer(fault: Fault): void {
    if (fault.kind === 'reset') this.reset();
    if (fault.kind === 'cut') this.allowance = fault.after;
    if (fault.kind === 'halfClose') {
      this.halfClosed = true;
      this.client.end();
    }
  }

  reset(): void {
    reset(this.client);
    reset(this.server);
  }

  private pump(from: Socket, to: Socket, read: (bytes: Buffer) => Promise<Buffer>): void {
    let work: Promise<void> = Promise.resolve();
    // Never paused, because a paused socket does not notice that the process at its other end has died.
    from.on('data', (chunk: Buffer) => {
      work = work.then(() => Promise.race([this.carry(chunk, to, read), this.broken]));
      work.catch(() => this.reset());
    });
    from.once('end', () => {
      work.then(
        () => this.lost || to.end(),
        () => {},
      );
    });
    from.on('error', () => this.reset());
    // A dead process closes its side of the connection, and its unsent bytes are lost.
    from.once('close', () => to.destroy());
  }

  private async carry(chunk: Buffer, to: Socket, read: (bytes: Buffer) => Promise<Buffer>): Promise<void> {
    const bytes = await read(chunk);
    if (bytes.length === 0) return;
    const fault = this.fault();
    if (fault?.kind === 'blackHole') this.lost = true;
    if (this.lost || (this.halfClosed && to === this.client)) return;
    if (fault?.kind === 'delay') await delay(fault.by);
    if (bytes.length > this.allowance) {
      to.write(bytes.subarray(0, this.allowance));
      // Lets written bytes arrive before the reset overtakes them.
      await delay(5);
      return this.reset();
    }
    this.allowance -= bytes.length;
    if (fault?.kind === 'trickle') return this.trickle(bytes, to, fault.every);
    await write(bytes, to);
  }

  private async trickle(bytes: Buffer, to: Socket, every: number): Promise<void> {
    for (const byte of bytes) {
      if (to.destroyed) return;
      await write(Buffer.of(byte), to);
      await delay(every);
    }
  }
}

async function write(bytes: Buffer, to: Socket): Promise<void> {
  if (to.writable && !to.write(bytes)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
}

/** An ended socket cannot be reset any more (EINVAL): it would stay open permanently and keep Node from exiting. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
