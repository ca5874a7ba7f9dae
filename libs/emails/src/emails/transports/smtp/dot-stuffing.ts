import { WireLines } from '../../../shared/bytes/wire-lines.js';

/** A message as it stands behind DATA, with dots doubled (RFC 5321 section 4.5.2) and a line with a dot at its end. */
export class DotStuffing {
  private readonly lines = new WireLines(true);

  /** The next bytes of the message, as they are sent. */
  next(bytes: Buffer): Buffer {
    return this.lines.next(bytes);
  }

  /** What ends the message. */
  end(): Buffer {
    return Buffer.from(`${this.lines.end()}.\r\n`);
  }
}
