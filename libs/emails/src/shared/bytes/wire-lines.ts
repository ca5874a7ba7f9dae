const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/**
 * Writes the lines of a message in the format of DATA: a lone CR or LF becomes CR LF (RFC 5321 section 2.3.8). The
 * output is one flat buffer for each piece, regardless of its number of lines.
 */
export class WireLines {
  /** The byte before the next piece. Before the message it is the line end of DATA. */
  private last = LF;

  /** @param doublesDots whether a dot at the beginning of a line is doubled (RFC 5321 section 4.5.2) */
  constructor(private readonly doublesDots: boolean) {}

  /** The next bytes of the message; the same buffer if no byte has to be added. */
  next(bytes: Buffer): Buffer {
    const missing = this.countMissing(bytes);
    const written = missing === 0 ? bytes : this.write(bytes, Buffer.allocUnsafe(bytes.length + missing));
    this.last = bytes.at(-1) ?? this.last;
    return written;
  }

  /** The rest of an incomplete last line end. */
  end(): string {
    if (this.last === LF) return '';
    return this.last === CR ? '\n' : '\r\n';
  }

  private countMissing(bytes: Buffer): number {
    const dot = this.doublesDots ? DOT : -1;
    let missing = 0;
    let before = this.last;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if ((before === CR) !== (byte === LF)) missing++;
      if (byte === dot && (before === LF || before === CR)) missing++;
      before = byte;
    }
    return missing;
  }

  private write(bytes: Buffer, into: Buffer): Buffer {
    const dot = this.doublesDots ? DOT : -1;
    let to = 0;
    let before = this.last;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if ((before === CR) !== (byte === LF)) into[to++] = byte === LF ? CR : LF;
      if (byte === dot && (before === LF || before === CR)) into[to++] = DOT;
      into[to++] = byte;
      before = byte;
    }
    return into;
  }
}
