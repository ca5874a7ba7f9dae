import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ByteShare } from '../work/byte-share.js';
import { sharesOf } from './large-answers.js';

/** Bytes of one write: at the slowest pace, its client takes it long before the pause that is allowed. */
const AT_ONCE = 65_536;

/**
 * Writes the body of an answer, each piece when the connection has accepted the previous one. From the first piece on
 * the client must be quick enough, if the answer has reserved memory. The time in which a piece is made is not its own.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const shares = sharesOf(response);
  for (const share of shares) share.follow(() => response.destroy());
  // A client that disconnects, or is cut off, is not a failure.
  await pipeline(pieces, (made) => followed(made, shares), response).catch(() => response.destroy());
}

async function* followed(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  shares: readonly ByteShare[],
): AsyncGenerator<Uint8Array> {
  for (const share of shares) share.pause();
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let start = 0; start < bytes.length; start += AT_ONCE) {
      const part = bytes.subarray(start, start + AT_ONCE);
      for (const share of shares) share.resume();
      yield part;
      for (const share of shares) {
        share.proceed(part.length);
        share.pause();
      }
    }
  }
  for (const share of shares) share.resume();
}
