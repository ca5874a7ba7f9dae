import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { JsonReader, readJson } from '../json/json-reader.js';
import { LIMITS } from '../limits.js';
import { type MemoryShare, RequestMemory, SMALL } from '../work/request-memory.js';
import { type BodyLimits, readLarge, readSmall } from './body-bytes.js';
import type { BodyRule } from './reads-json.js';

/** Limits of a body on most routes. */
export const ORDINARY_BODY: BodyLimits = { wire: LIMITS.body.max, kept: LIMITS.body.max };

/** Limit of bodies in memory; for large ones at least the kept bytes of the largest. Bytes. */
const MEMORY = { medium: LIMITS.mediumBodies.max, large: LIMITS.largeBodies.max };
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/** A body, and its memory until the request ends; undefined for a small one. */
export interface JsonBody {
  body: object;
  memory: MemoryShare | undefined;
}

/**
 * Reads JSON bodies. Bodies over 64 kB are read as memory becomes available, so that many of them cannot exhaust it,
 * even at a low speed, and stalled uploads do not block others.
 */
export class JsonBodyReader {
  private readonly memory: RequestMemory;

  /**
   * @param limits of the largest body
   * @param accountOf account of the request, if known. Default: the remote address
   */
  constructor(
    private readonly limits: BodyLimits,
    private readonly accountOf: (request: IncomingMessage) => string | undefined = () => undefined,
  ) {
    this.memory = new RequestMemory({ ...MEMORY, large: Math.max(MEMORY.large, limits.kept) });
  }

  /** Resolves with an object, or an array if allowed; an absent body is `{}`. */
  async read(request: IncomingMessage, rule: BodyRule = {}): Promise<JsonBody> {
    const { isOptional = false, isBatch = false, mayBeArray = isBatch } = rule;
    if (!this.hasJson(request, isOptional)) return { body: {}, memory: undefined };
    const announced = request.headers['content-length'];
    const wire = announced === undefined ? this.limits.wire : Number(announced);
    if (wire > this.limits.wire) throw ApiError.tooLarge(this.limits.wire);
    if (wire <= SMALL) {
      return { body: checkKind(await readJson(await readSmall(request), rule), mayBeArray), memory: undefined };
    }
    const kept = Math.min(wire, this.limits.kept);
    // A body longer than the limit is treated like one of unknown length.
    const isKnown = announced !== undefined && kept === wire;
    const memory = this.memory.open(this.ownerOf(request), kept, isKnown);
    try {
      const json = new JsonReader(new GrowingBytes(kept, isKnown), rule);
      await readLarge(request, memory, { wire, kept }, json);
      return { body: checkKind(await json.end(), mayBeArray), memory };
    } catch (error) {
      memory.close();
      throw error;
    }
  }

  /** False when there is no body to read. */
  private hasJson({ headers, method }: IncomingMessage, isOptional: boolean): boolean {
    const bodyless = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (bodyless && (isOptional || method === 'DELETE')) return false;
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

function checkKind(body: object, mayBeArray: boolean): object {
  if (Array.isArray(body) && !mayBeArray) throw ApiError.malformed('The request body must be a JSON object.');
  return body;
}
