import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { allocateBytes } from '../acceptance/large-buffer.js';
import { nextTurn, SliceEnd } from '../acceptance/slices.js';
import { ApiError } from '../errors/api-error.js';

/** From this size on, in bytes, a copy of a body is worth avoiding. */
const LARGE = 1_000_000;

/**
 * Reads the whole body of a request. A large one of announced length is read into its final place, without a copy.
 *
 * @param limit bytes
 * @throws ApiError 413 when it is larger, 400 when it ends early
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = request.headers['content-length'];
  if (Number(length) > limit) throw ApiError.tooLarge(limit);
  try {
    const large = length !== undefined && Number(length) >= LARGE;
    return await (large ? fill(request, Number(length)) : getRawBody(request, { limit }));
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') throw ApiError.tooLarge(limit);
    throw ApiError.malformed('The request body ended early or does not have the length it announced.');
  }
}

async function fill(request: IncomingMessage, length: number): Promise<Buffer> {
  const bytes = allocateBytes(length);
  let read = 0;
  const slice = new SliceEnd();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    read += chunk.copy(bytes, read);
    if (slice.reached(read)) await nextTurn();
  }
  if (read < length) throw new Error('The body ended early.');
  return bytes;
}
