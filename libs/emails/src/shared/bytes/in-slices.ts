import { turnToRead } from '../work/slices.js';

/** Bytes of one piece, at most. */
const PIECE = 65_536;

/**
 * The same bytes in pieces of at most 64 kB. No turn of the event loop has more than a slice of them in it, also where all
 * are in memory and the reader is quick.
 */
export async function* inSlices(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, void> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      await turnToRead(piece.length);
    }
  }
}
