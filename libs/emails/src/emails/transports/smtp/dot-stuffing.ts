import { WireLines } from '../../../shared/bytes/wire-lines.js';

/** Encodes a message for DATA: doubles leading dots (RFC 5321 section 4.5.2) and ends with a dot on its own line. */
export class DotStuffing {
  private readonly lines = new WireLines(true);

  /** The next bytes of the message, as they are sent. */
  next(bytes: Buffer): Buffer {
    return this.lines.next(bytes);
  }

  /** The final dot. */
  end(): Buffer {
    return Buffer.from(`${this.lines.end()}.\r\n`);
  }
}
