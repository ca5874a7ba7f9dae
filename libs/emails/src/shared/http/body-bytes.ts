import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../errors/api-error.js';
import type { JsonReader } from '../json/json-reader.js';
import { LARGE, type MemoryShare, SMALL } from '../work/request-memory.js';
import { turnToRead } from '../work/slices.js';

/**
 * Reads a small body, of up to 64 kB by its announced length.
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

/** Limits of a body. Bytes. */
export interface BodyLimits {
  /** Received bytes, or exactly the announced length. */
  wire: number;
  /** Kept bytes, in which files are decoded, or base64. */
  kept: number;
}

/**
 * Reads any body as memory for its kept bytes becomes available. The first megabyte is read without turns: otherwise
 * all medium bodies would start, each with a part of its memory, before any of them ends.
 *
 * @param json receives the bytes
 * @throws ApiError 413 above the limit, 400 when it ends early or cannot be parsed, 503 without memory or for too slow
 * a client
 */
export async function readLarge(
  request: IncomingMessage,
  memory: MemoryShare,
  { wire, kept }: BodyLimits,
  json: Pick<JsonReader, 'add' | 'size'>,
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

/** Time spent queued behind other requests does not count against a client's upload speed. */
async function excused(turn: Promise<void>, memory: MemoryShare): Promise<void> {
  const since = performance.now();
  await turn;
  memory.excuse(performance.now() - since);
}

/** Passes each piece on; while a promise is pending, nothing is read. After a failure the rest is read and dropped. */
function eachPiece(
  request: IncomingMessage,
  signal: AbortSignal,
  accept: (piece: Buffer) => Promise<void> | undefined,
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
        const wait = accept(piece);
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
    // The event may follow the last piece at once, even while the request is paused.
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
