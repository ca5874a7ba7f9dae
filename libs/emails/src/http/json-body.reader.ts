import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { readBytes } from './body-bytes.js';
import { ByteBudget } from './byte-budget.js';
import { callerOf } from './caller.guard.js';
import { readJson } from './json-reader.js';

/** Bodies larger than this, in bytes, share a budget of memory. The others are bounded by the number of connections. */
const MEDIUM = 64_000;
/** Bodies larger than this have a budget of their own, for they take long to send. */
const LARGE = 1_000_000;
/** Bytes of bodies in memory at the same time, of each budget. One account has at most half of them, others waiting. */
const MEMORY = 80_000_000;
/** How many medium bodies may wait, unread: a burst of them is nothing unusual. */
const WAITING = { all: 4_000, each: 1_000 };
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/** A body, and what gives back the room it takes; undefined for a small one, which needs none. */
export interface JsonBody {
  body: object;
  giveBack: (() => void) | undefined;
}

/**
 * Reads JSON bodies. Those over 64 kB are let in as there is room for them, so that their number cannot exhaust memory,
 * however slowly they come.
 */
export class JsonBodyReader {
  private readonly medium = new ByteBudget(MEMORY, WAITING);
  private readonly large = new ByteBudget(MEMORY);

  /** @param limit bytes of the largest body */
  constructor(private readonly limit: number) {}

  /** Resolves with an object, or an array where `mayBeArray`; an absent body is `{}`. */
  async read(request: IncomingMessage, mayBeArray = false): Promise<JsonBody> {
    if (!this.hasJson(request)) return { body: {}, giveBack: undefined };
    const size = Number(request.headers['content-length'] ?? this.limit);
    if (size > this.limit) throw ApiError.tooLarge(this.limit);
    const giveBack = await this.makeRoom(request, size);
    try {
      const body = await readJson(await readBytes(request, this.limit));
      if (Array.isArray(body) && !mayBeArray) throw ApiError.malformed('The request body must be a JSON object.');
      return { body, giveBack };
    } catch (error) {
      giveBack?.();
      throw error;
    }
  }

  private makeRoom(request: IncomingMessage, size: number): Promise<() => void> | undefined {
    if (size <= MEDIUM) return undefined;
    // On routes of a host the account is not known here.
    const owner = callerOf(request)?.accountId ?? request.socket.remoteAddress ?? '';
    return (size > LARGE ? this.large : this.medium).take(size, owner);
  }

  /** False when there is no body to read. */
  private hasJson({ headers, method }: IncomingMessage): boolean {
    const bodyless = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (bodyless && method === 'DELETE') return false;
    const encoding = headers['content-encoding'] ?? 'identity';
    if (!JSON_TYPE.test(headers['content-type'] ?? '') || encoding !== 'identity') {
      throw ApiError.unsupportedMediaType();
    }
    return !bodyless;
  }
}
