import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import { turnToRead } from '../work/slices.js';

/**
 * Reads a whole body into one Buffer. A server that sends as fast as it can leaves turns of the event loop to others.
 *
 * @param makeRoom called, and awaited, before the body has this many bytes in memory
 * @throws Error when it is longer than `maxBytes`, compressed, or cut short
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  makeRoom: (bytes: number) => Promise<void> | undefined,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = response.headers;
  if (encoding.toLowerCase() !== 'identity') throw new Error('A compressed body was not asked for.');
  if (Number(length) > maxBytes) throw new Error('The body is too long.');
  const body = length === undefined ? new GrowingBytes(maxBytes) : new GrowingBytes(Number(length), true);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const bytes = body.size + chunk.length;
    if (bytes > maxBytes) throw new Error('The body is too long.');
    await makeRoom(bytes);
    body.add(chunk);
    await turnToRead(chunk.length);
  }
  return body.bytes;
}
