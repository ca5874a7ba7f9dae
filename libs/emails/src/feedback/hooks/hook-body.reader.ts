import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../../shared/bytes/growing-bytes.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { readLarge, readSmall } from '../../shared/http/body-bytes.js';
import { type MemoryShare, RequestMemory, SMALL } from '../../shared/work/request-memory.js';
import { FEEDBACK_LIMITS } from '../limits.js';

const LIMIT = FEEDBACK_LIMITS.hookBody.max;

/** A body as it came, and its memory, to be closed after use. */
export interface HookBody {
  bytes: Buffer;
  memory: MemoryShare | undefined;
}

/**
 * Reads bodies of any content type as they came: signatures cover their bytes, and SNS sends its JSON as `text/plain`. Bodies
 * over 64 kB wait for memory, as those of the API do.
 */
export class HookBodyReader {
  private readonly memory = new RequestMemory({ medium: FEEDBACK_LIMITS.hookBodies.max, large: LIMIT });

  /** @throws ApiError 413 above 1 MB, 400 when it ends early, 415 for a compressed one, 503 without memory */
  async read(request: IncomingMessage): Promise<HookBody> {
    const { 'content-length': announced, 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity') throw ApiError.unsupportedMediaType();
    const wire = announced === undefined ? LIMIT : Number(announced);
    if (wire > LIMIT) throw ApiError.tooLarge(LIMIT);
    if (announced !== undefined && wire <= SMALL) return { bytes: await readSmall(request), memory: undefined };
    const memory = this.memory.open(request.socket.remoteAddress ?? '', wire, announced !== undefined);
    try {
      const body = new GrowingBytes(wire, announced !== undefined);
      await readLarge(
        request,
        memory,
        { wire, kept: wire },
        {
          add: (piece) => void body.add(piece),
          get size() {
            return body.size;
          },
        },
      );
      return { bytes: body.bytes, memory };
    } catch (error) {
      memory.close();
      throw error;
    }
  }
}
