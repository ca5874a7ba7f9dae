import type { Socket } from 'node:net';

const CRLF = Buffer.from('\r\n');
const END_OF_DATA = Buffer.from('\r\n.\r\n');
const MAX_LINE = 64 * 1024;

/** Reads commands and message data of one SMTP connection. Only CR LF ends a line, only CR LF . CR LF a message. */
export class SmtpReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.chunks = socket[Symbol.asyncIterator]();
  }

  /** The next command line without its line end, or undefined when the client has gone. */
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
    this.rest = Buffer.concat([CRLF, this.rest]);
    const bytes = await this.through(END_OF_DATA, Number.POSITIVE_INFINITY);
    return bytes && unstuff(bytes.subarray(0, -'.\r\n'.length)).subarray(CRLF.length);
  }

  private async through(end: Buffer, limit: number): Promise<Buffer | undefined> {
    const parts = [this.rest];
    let length = this.rest.length;
    let tail = this.rest;
    for (;;) {
      const found = tail.indexOf(end);
      if (found >= 0) {
        const all = Buffer.concat(parts);
        const cut = length - tail.length + found + end.length;
        this.rest = all.subarray(cut);
        return all.subarray(0, cut);
      }
      if (length > limit) return undefined;
      const chunk = await this.chunks.next().catch(() => ({ done: true as const, value: undefined }));
      if (chunk.done) return undefined;
      parts.push(chunk.value);
      length += chunk.value.length;
      // The end may lie across two chunks.
      tail = Buffer.concat([tail.subarray(-(end.length - 1)), chunk.value]);
    }
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
