import type { IncomingMessage } from 'node:http';
import { allocateBytes } from './large-buffer.js';

/**
 * Reads a whole body into one Buffer. Bytes are copied as they come: kept as they are, a body sent byte by byte would
 * cost a hundred times its size.
 *
 * @param admitLarge asked, and waited for, before a body takes more memory than `LARGE`
 * @throws Error when it is longer than `maxBytes`, compressed, or cut short
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  admitLarge: () => Promise<void>,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = response.headers;
  if (encoding.toLowerCase() !== 'identity') throw new Error('A compressed body was not asked for.');
  if (Number(length) > maxBytes) throw new Error('The body is too long.');
  let isAdmitted = Number(length) > LARGE;
  if (isAdmitted) await admitLarge();
  let body = allocateBytes(Math.min(maxBytes, Number(length) || FIRST_SIZE));
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const end = size + chunk.length;
    if (end > maxBytes) throw new Error('The body is too long.');
    if (end > LARGE && !isAdmitted) {
      await admitLarge();
      isAdmitted = true;
      // Memory that is never written to costs nothing, growing step by step would cost as much again.
      body = grow(body, maxBytes);
    } else if (end > body.length) body = grow(body, Math.min(maxBytes, Math.max(end, body.length * 2)));
    chunk.copy(body, size);
    size = end;
  }
  return body.subarray(0, size);
}

function grow(body: Buffer, size: number): Buffer {
  const larger = allocateBytes(size);
  body.copy(larger);
  return larger;
}

const FIRST_SIZE = 64 * 1024;
/** Bytes that a body may take without asking. */
const LARGE = 1_000_000;
