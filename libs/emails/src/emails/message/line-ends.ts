import { pipeline, type Readable, Transform } from 'node:stream';

const CR = 0x0d;
const LF = 0x0a;
const MISSING = { cr: Buffer.from('\r'), lf: Buffer.from('\n') };

/**
 * A message as its recipient reads it behind DATA: a lone CR or LF becomes CR LF, and it ends with one (RFC 5321 sections
 * 2.3.8 and 4.1.1.4).
 */
export class LineEnds {
  /** What came last. Before the message there is the line end of DATA. */
  private last = LF;

  /** All of a message. */
  static of(message: Buffer): Buffer {
    const lines = new LineEnds();
    return Buffer.concat([lines.next(message), lines.end()]);
  }

  /** A message that is read as fast as what is given back. */
  static through(message: Readable): Readable {
    const lines = new LineEnds();
    const transform = new Transform({
      transform: (bytes, _encoding, done) => done(null, lines.next(bytes)),
      flush: (done) => done(null, lines.end()),
    });
    // Whoever reads is told by the stream that he reads.
    return pipeline(message, transform, () => {});
  }

  private next(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if ((this.last === CR) !== (byte === LF)) {
        parts.push(bytes.subarray(from, at), byte === LF ? MISSING.cr : MISSING.lf);
        from = at;
      }
      this.last = byte;
    }
    return from === 0 && parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
  }

  private end(): Buffer {
    if (this.last === LF) return Buffer.alloc(0);
    return this.last === CR ? MISSING.lf : Buffer.concat([MISSING.cr, MISSING.lf]);
  }
}
