import type { IncomingMessage } from 'node:http';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import getRawBody from 'raw-body';
import type { Observable } from 'rxjs';
import { ApiError } from '../errors/api-error.js';
import { checkJson } from './json-rules.js';

export const BODY_LIMIT = Symbol('nestjs-emails body limit');

const DEFAULT_LIMIT = 1_000_000;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface RequestWithBody extends IncomingMessage {
  body?: unknown;
}

/**
 * Reads the JSON body of its controller's routes. An interceptor, because Nest runs guards before it: nobody's body is
 * read before the caller is known. The application must be created with `bodyParser: false`.
 *
 * Sets `request.body` to an object; an absent body is `{}`. Limit: 1 MB, or what is provided as `BODY_LIMIT`.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  constructor(@Optional() @Inject(BODY_LIMIT) private readonly limit: number = DEFAULT_LIMIT) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<RequestWithBody>();
    if (METHODS_WITH_BODY.has(request.method ?? '')) request.body = await this.read(request);
    return next.handle();
  }

  private async read(request: IncomingMessage): Promise<object> {
    const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
    const bodyless = length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined);
    if (request.method === 'DELETE' && bodyless) return {};
    if (!JSON_TYPE.test(type ?? '') || (encoding !== undefined && encoding !== 'identity')) {
      throw ApiError.unsupportedMediaType();
    }
    if (bodyless) return {};
    return parse(await this.bytes(request, length));
  }

  private async bytes(request: IncomingMessage, length: string | undefined): Promise<Buffer> {
    try {
      return await getRawBody(request, { limit: this.limit, ...(length !== undefined && { length }) });
    } catch (error) {
      if ((error as { type?: string }).type === 'entity.too.large') throw ApiError.tooLarge(this.limit);
      throw ApiError.malformed('The request body ended early or does not have the length it announced.');
    }
  }
}

function parse(bytes: Buffer): object {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw ApiError.malformed('The request body is not valid UTF-8.');
  }
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw ApiError.malformed('The request body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw ApiError.malformed('The request body must be a JSON object.');
  }
  checkJson(value);
  return value;
}
