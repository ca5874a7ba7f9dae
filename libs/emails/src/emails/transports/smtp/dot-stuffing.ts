const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/**
 * A message as it stands behind DATA (RFC 5321 section 4.5.2): dots at the beginning of lines are doubled, a lone CR or LF
 * becomes CR LF (section 2.3.8), and at its end there is a line with a dot.
 */
export class DotStuffing {
  /** What came last. Before the message there is the line end of DATA. */
  private last = LF;

  /** The next bytes of the message, as they are sent. */
  next(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    let before = this.last;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const missing = missingBetween(before, byte);
      if (missing) {
        parts.push(bytes.subarray(from, at), missing);
        from = at;
      }
      before = byte;
    }
    this.last = before;
    return from === 0 && parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
  }

  /** What ends the message. */
  end(): Buffer {
    if (this.last === LF) return Buffer.from('.\r\n');
    return Buffer.from(this.last === CR ? '\n.\r\n' : '\r\n.\r\n');
  }
}

const MISSING = { cr: Buffer.from('\r'), lf: Buffer.from('\n'), lfDot: Buffer.from('\n.'), dot: Buffer.from('.') };

function missingBetween(before: number, byte: number): Buffer | undefined {
  if (before === CR && byte !== LF) return byte === DOT ? MISSING.lfDot : MISSING.lf;
  if (byte === LF && before !== CR) return MISSING.cr;
  return byte === DOT && before === LF ? MISSING.dot : undefined;
}
