import type { IncomingMessage } from 'node:http';
import { ApiError } from 'nestjs-emails';

/** A body parser of the host may have read the request already. */
type Parsed = IncomingMessage & { body?: unknown };

/**
 * A body that is a JSON object.
 *
 * @param limit bytes
 * @throws ApiError 415 for another type, 413 for a longer one, 400 for a value that is not an object
 */
export async function readJson(request: Parsed, limit: number): Promise<Record<string, unknown>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw ApiError.unsupportedMediaType();
  const body: unknown = isObject(request.body) ? request.body : parsed((await readBytes(request, limit)).toString());
  if (!isObject(body)) throw ApiError.malformed('The request body must be a JSON object.');
  return body;
}

/**
 * The body of a form.
 *
 * @param limit bytes
 * @param onPiece called with the bytes of each piece
 * @throws ApiError 415 for another type, 413 for a longer one
 */
export async function readForm(
  request: Parsed,
  limit: number,
  onPiece?: (bytes: number) => void,
): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(415, 'validation_error', 'The request body must be a form.');
  }
  if (isObject(request.body)) return new URLSearchParams(request.body as Record<string, string>);
  return new URLSearchParams((await readBytes(request, limit, onPiece)).toString());
}

async function readBytes(request: IncomingMessage, limit: number, onPiece?: (bytes: number) => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw ApiError.tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of whole(request)) {
    size += chunk.length;
    onPiece?.(chunk.length);
    if (size > limit) throw ApiError.tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A browser that disconnects during the upload is not our failure. */
async function* whole(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The connection is still needed for the answer after reading stops.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw ApiError.malformed('The request ended before its body did.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw ApiError.malformed('The request body is not JSON.');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
