import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { type MemoryShare, SMALL } from '../work/request-memory.js';

/**
 * Reads a small body, at most 64 kB by its announced length.
 *
 * @throws ApiError 400 when it ends early
 */
export async function readSmall(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: SMALL });
  } catch {
    throw cutShort();
  }
}

/**
 * Reads any body, as there is room for what comes of it. One of announced length is read into its final place, without a
 * copy.
 *
 * @param most bytes that it may have
 * @param isKnown whether that is the length that it announced
 * @throws ApiError 413 when it is longer, 400 when it ends early, 503 when there is no room or it comes too slowly
 */
export async function readLarge(
  request: IncomingMessage,
  memory: MemoryShare,
  most: number,
  isKnown: boolean,
): Promise<Buffer> {
  const body = new GrowingBytes(most, isKnown);
  await eachPiece(request, memory.follow(), (piece) => {
    const bytes = body.size + piece.length;
    if (bytes > most) throw ApiError.tooLarge(most);
    const wait = memory.makeRoom(bytes);
    if (wait) return wait.then(() => body.add(piece));
    body.add(piece);
    return undefined;
  });
  memory.unfollow();
  return body.bytes;
}

/** Hands over each piece; while a promise is open, nothing is read. What follows a failure is read and dropped. */
function eachPiece(
  request: IncomingMessage,
  signal: AbortSignal,
  take: (piece: Buffer) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isWaiting = false;
    let isOver = false;
    const goOn = () => {
      isWaiting = false;
      if (isOver) onEnd();
      else request.resume();
    };
    const onPiece = (piece: Buffer) => {
      try {
        const wait = take(piece);
        if (!wait) return;
        isWaiting = true;
        request.pause();
        wait.then(goOn, fail);
      } catch (error) {
        fail(error);
      }
    };
    const stop = () => {
      request.off('data', onPiece).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      signal.removeEventListener('abort', onAbort);
    };
    // It may come right behind the last piece, however paused the request is.
    const onEnd = () => {
      isOver = true;
      if (isWaiting) return;
      stop();
      resolve();
    };
    const fail = (error: unknown) => {
      stop();
      request.resume();
      reject(error);
    };
    const onBreak = () => {
      if (!isOver) fail(cutShort());
    };
    const onAbort = () => fail(signal.reason);
    if (request.destroyed) return onBreak();
    request.on('data', onPiece).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    signal.addEventListener('abort', onAbort);
  });
}

function cutShort(): ApiError {
  return ApiError.malformed('The request body ended early or does not have the length it announced.');
}
