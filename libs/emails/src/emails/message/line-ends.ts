import { pipeline, type Readable, Transform } from 'node:stream';
import { WireLines } from '../../shared/bytes/wire-lines.js';
import { turnToRead } from '../../shared/work/slices.js';

/**
 * A message as its recipient reads it behind DATA: a lone CR or LF becomes CR LF, and it ends with one (RFC 5321 sections
 * 2.3.8 and 4.1.1.4).
 */
export class LineEnds {
  /** All of a small message. */
  static of(message: Buffer): Buffer {
    const lines = new WireLines(false);
    return Buffer.concat([lines.next(message), Buffer.from(lines.end())]);
  }

  /** A message in small pieces, which is read as fast as what is given back. */
  static through(message: Readable): Readable {
    const lines = new WireLines(false);
    const transform = new Transform({
      transform(bytes: Buffer, _encoding, done) {
        const turn = turnToRead(bytes.length);
        if (turn) void turn.then(() => done(null, lines.next(bytes)));
        else done(null, lines.next(bytes));
      },
      flush: (done) => done(null, lines.end()),
    });
    // An error reaches the reader by the stream itself.
    return pipeline(message, transform, () => {});
  }
}
