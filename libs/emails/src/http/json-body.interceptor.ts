import type { IncomingMessage } from 'node:http';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { finalize, type Observable } from 'rxjs';
import { ApiError } from '../errors/api-error.js';
import { readBytes } from './body-bytes.js';
import { ByteBudget } from './byte-budget.js';
import { callerOf } from './caller.guard.js';
import { readJson } from './json-reader.js';

/** Injection token: the largest body in bytes. */
export const BODY_LIMIT = Symbol('nestjs-emails body limit');

const DEFAULT_LIMIT = 1_000_000;
/** Bodies larger than this, in bytes, share a budget of memory. */
const LARGE = 1_000_000;
/** Bytes of large bodies in memory at the same time. One account has at most half of them, others waiting. */
const MEMORY = 80_000_000;
const ARRAY_BODY = 'nestjs-emails array body';
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface RequestWithBody extends IncomingMessage {
  body?: unknown;
}

/** Lets the body of a route be a JSON array as well as an object. */
export const AllowArrayBody = () => SetMetadata(ARRAY_BODY, true);

/**
 * Reads the JSON body of its controller's routes. An interceptor, because Nest runs guards before it: nobody's body is
 * read before the caller is known. The application must be created with `bodyParser: false`.
 *
 * Sets `request.body` to an object; an absent body is `{}`. Limit: 1 MB, or what is provided as `BODY_LIMIT`. Large
 * bodies are let in one after the other, so that their number cannot exhaust memory.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly budget: ByteBudget;

  constructor(
    private readonly reflector: Reflector,
    @Optional() @Inject(BODY_LIMIT) private readonly limit: number = DEFAULT_LIMIT,
  ) {
    this.budget = new ByteBudget(MEMORY);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<RequestWithBody>();
    if (!METHODS_WITH_BODY.has(request.method ?? '') || !this.hasJson(request)) return next.handle();

    const size = Number(request.headers['content-length'] ?? this.limit);
    if (size > this.limit) throw ApiError.tooLarge(this.limit);
    const giveBack = size > LARGE ? await this.budget.take(size, callerOf(request)?.accountId ?? '') : () => {};
    try {
      request.body = await this.read(request, context);
    } catch (error) {
      giveBack();
      throw error;
    }
    return next.handle().pipe(finalize(giveBack));
  }

  /** False when there is no body to read; `request.body` is then `{}`. */
  private hasJson(request: RequestWithBody): boolean {
    const { headers } = request;
    const bodyless = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (bodyless) request.body = {};
    if (bodyless && request.method === 'DELETE') return false;
    const encoding = headers['content-encoding'] ?? 'identity';
    if (!JSON_TYPE.test(headers['content-type'] ?? '') || encoding !== 'identity') {
      throw ApiError.unsupportedMediaType();
    }
    return !bodyless;
  }

  private async read(request: IncomingMessage, context: ExecutionContext): Promise<object> {
    const body = readJson(await readBytes(request, this.limit));
    const mayBeArray = this.reflector.get<boolean | undefined>(ARRAY_BODY, context.getHandler());
    if (Array.isArray(body) && !mayBeArray) throw ApiError.malformed('The request body must be a JSON object.');
    return body;
  }
}
