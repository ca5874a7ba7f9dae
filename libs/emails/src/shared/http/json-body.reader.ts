import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { readJson } from '../json/json-reader.js';
import { type MemoryShare, RequestMemory, SMALL } from '../work/request-memory.js';
import { readLarge, readSmall } from './body-bytes.js';

/** Bytes of bodies in memory at the same time; for large ones at least those of the largest. */
const MEMORY = { medium: 80_000_000, large: 60_000_000 };
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/** A body, and the memory that it takes until its request is over; undefined for a small one. */
export interface JsonBody {
  body: object;
  memory: MemoryShare | undefined;
}

/**
 * Reads JSON bodies. Those over 64 kB are read as there is room for what comes of them, so that their number cannot
 * exhaust memory, however slowly they come, and what does not come keeps nobody out.
 */
export class JsonBodyReader {
  private readonly memory: RequestMemory;

  /**
   * @param limit bytes of the largest body
   * @param accountOf whose request it is, where that is known. Default: the other end of its connection
   */
  constructor(
    private readonly limit: number,
    private readonly accountOf: (request: IncomingMessage) => string | undefined = () => undefined,
  ) {
    this.memory = new RequestMemory({ ...MEMORY, large: Math.max(MEMORY.large, limit) });
  }

  /** Resolves with an object, or an array where `mayBeArray`; an absent body is `{}`. */
  async read(request: IncomingMessage, mayBeArray = false): Promise<JsonBody> {
    if (!this.hasJson(request)) return { body: {}, memory: undefined };
    const announced = request.headers['content-length'];
    const isKnown = announced !== undefined;
    const most = isKnown ? Number(announced) : this.limit;
    if (most > this.limit) throw ApiError.tooLarge(this.limit);
    if (most <= SMALL) return { body: await parse(await readSmall(request), mayBeArray), memory: undefined };
    const memory = this.memory.open(this.ownerOf(request), most, isKnown);
    try {
      return { body: await parse(await readLarge(request, memory, most, isKnown), mayBeArray), memory };
    } catch (error) {
      memory.close();
      throw error;
    }
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

  private ownerOf(request: IncomingMessage): string {
    return this.accountOf(request) ?? request.socket.remoteAddress ?? '';
  }
}

async function parse(bytes: Buffer, mayBeArray: boolean): Promise<object> {
  const body = await readJson(bytes);
  if (Array.isArray(body) && !mayBeArray) throw ApiError.malformed('The request body must be a JSON object.');
  return body;
}
