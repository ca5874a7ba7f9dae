import { pipeline, type Readable, Transform } from 'node:stream';
import { WireLines } from '../../shared/bytes/wire-lines.js';
import { turnToRead } from '../../shared/work/slices.js';

/**
 * A message in the form that its recipient gets after DATA: a single CR or LF becomes CR LF, and the end has one too
 * (RFC 5321 sections 2.3.8 and 4.1.1.4).
 */
export class LineEnds {
  /** Converts a small message as a whole. */
  static of(message: Buffer): Buffer {
    const lines = new WireLines(false);
    return Buffer.concat([lines.next(message), Buffer.from(lines.end())]);
  }

  /** Converts a message in small pieces, at the speed of the returned stream's reader. */
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
    // The stream itself passes errors to its reader.
    return pipeline(message, transform, () => {});
  }
}
