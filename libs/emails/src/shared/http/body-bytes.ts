import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../errors/api-error.js';
import type { JsonReader } from '../json/json-reader.js';
import { LARGE, type MemoryShare, SMALL } from '../work/request-memory.js';
import { turnToRead } from '../work/slices.js';

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

/** Bytes that a body may have. */
export interface BodyLimits {
  /** As it comes, or just those that it announced. */
  wire: number;
  /** As it is kept, in which files are what they hold, or base64 of it. */
  kept: number;
}

/**
 * Reads any body, as there is room for what is kept of it. The first megabyte is read as it comes: medium ones that take turns
 * would all have begun, each with a part of its memory, before any of them ended.
 *
 * @param json takes it
 * @throws ApiError 413 when it is longer, 400 when it ends early or is not to be read, 503 when there is no room or it
 *   comes too slowly
 */
export async function readLarge(
  request: IncomingMessage,
  memory: MemoryShare,
  { wire, kept }: BodyLimits,
  json: JsonReader,
): Promise<void> {
  let come = 0;
  let dropped = 0;
  const add = (piece: Buffer) => {
    const { length } = piece;
    const turn = json.add(piece) ?? (come > LARGE ? turnToRead(length) : undefined);
    return turn && excused(turn, memory);
  };
  await eachPiece(request, memory.follow(), (piece) => {
    const newlyDropped = come - json.size - dropped;
    if (newlyDropped > 0) memory.advance(newlyDropped);
    dropped += newlyDropped;
    come += piece.length;
    if (come > wire) throw ApiError.tooLarge(wire);
    const bytes = json.size + piece.length;
    if (bytes > kept) throw ApiError.tooLarge(kept);
    const wait = memory.makeRoom(bytes, bytes + wire - come);
    return wait ? wait.then(() => add(piece)) : add(piece);
  });
  memory.unfollow();
}

/** Whoever waits for us to get on with others is not slow. */
async function excused(turn: Promise<void>, memory: MemoryShare): Promise<void> {
  const since = performance.now();
  await turn;
  memory.excuse(performance.now() - since);
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
