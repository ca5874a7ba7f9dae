import { turnToRead } from '../work/slices.js';

/** Limit of one piece. Bytes. */
const PIECE = 65_536;

/**
 * The same bytes in pieces of at most 64 kB. Each turn of the event loop has at most one slice, even if all bytes are
 * in memory and the reader is quick.
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
