import type { Socket } from 'node:net';

const CRLF = Buffer.from('\r\n');
const END_OF_DATA = Buffer.from('\r\n.\r\n');
const MAX_LINE = 64 * 1024;

/**
 * Reads commands and message data of one SMTP connection. Only CR LF ends a line, only CR LF . CR LF a message. Bytes
 * are read at once, so that a disconnect is always noticed.
 */
export class SmtpReader {
  /** Received bytes that were not returned yet, in their original pieces. */
  private pieces: Buffer[] = [];
  private length = 0;
  private ended = false;
  private wake = () => {};

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.pieces.push(chunk);
      this.length += chunk.length;
      this.wake();
    });
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.ended = true;
        this.wake();
      });
    }
  }

  /** The next command line without its line end, or undefined when the client has disconnected. */
  async line(): Promise<string | undefined> {
    const bytes = await this.through(CRLF, MAX_LINE);
    return bytes?.subarray(0, -CRLF.length).toString('utf8');
  }

  /**
   * The message up to the terminating dot, byte for byte, stuffed dots removed (RFC 5321, 4.5.2).
   * Includes the CR LF that ends its last line.
   */
  async message(): Promise<Buffer | undefined> {
    // The line end of the DATA command counts as the one before the first line: a message can be empty.
    this.pieces.unshift(CRLF);
    this.length += CRLF.length;
    const bytes = await this.through(END_OF_DATA, Number.POSITIVE_INFINITY);
    return bytes && unstuff(bytes.subarray(0, -'.\r\n'.length)).subarray(CRLF.length);
  }

  /** True if unread bytes are left. */
  get isAhead(): boolean {
    return this.length > 0;
  }

  /** Resolves when this many unread bytes are available. */
  async has(count: number): Promise<void> {
    while (this.length < count && !this.ended) await this.more();
  }

  private async through(end: Buffer, limit: number): Promise<Buffer | undefined> {
    let tail: Buffer = Buffer.alloc(0);
    let seen = 0;
    for (let next = 0; ; next++) {
      while (next === this.pieces.length) {
        if (this.ended || seen > limit) return undefined;
        await this.more();
      }
      const piece = this.pieces[next] as Buffer;
      // The end may be split over pieces.
      tail = Buffer.concat([tail.subarray(-(end.length - 1)), piece]);
      seen += piece.length;
      const found = tail.indexOf(end);
      if (found >= 0) return this.take(seen - tail.length + found + end.length);
    }
  }

  private take(count: number): Buffer {
    const all = Buffer.concat(this.pieces);
    const rest = all.subarray(count);
    this.pieces = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return all.subarray(0, count);
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

function unstuff(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = data.indexOf('\r\n.'); at >= 0; at = data.indexOf('\r\n.', from)) {
    parts.push(data.subarray(from, at + CRLF.length));
    from = at + '\r\n.'.length;
  }
  parts.push(data.subarray(from));
  return Buffer.concat(parts);
}
