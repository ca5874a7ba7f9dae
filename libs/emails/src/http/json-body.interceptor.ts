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
/** Bodies larger than this, in bytes, share a budget of memory. The others are bounded by the number of connections. */
const MEDIUM = 64_000;
/** Bodies larger than this have a budget of their own, for they take long to send. */
const LARGE = 1_000_000;
/** Bytes of bodies in memory at the same time, of each budget. One account has at most half of them, others waiting. */
const MEMORY = 80_000_000;
/** How many medium bodies may wait, unread: a burst of them is nothing unusual. */
const WAITING = { all: 4_000, each: 1_000 };
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
 * Sets `request.body` to an object; an absent body is `{}`. Limit: 1 MB, or what is provided as `BODY_LIMIT`. Bodies
 * over 64 kB are let in as there is room for them, so that their number cannot exhaust memory, however slowly they come.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly medium = new ByteBudget(MEMORY, WAITING);
  private readonly large = new ByteBudget(MEMORY);

  constructor(
    private readonly reflector: Reflector,
    @Optional() @Inject(BODY_LIMIT) private readonly limit: number = DEFAULT_LIMIT,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<RequestWithBody>();
    if (!METHODS_WITH_BODY.has(request.method ?? '') || !this.hasJson(request)) return next.handle();

    const size = Number(request.headers['content-length'] ?? this.limit);
    if (size > this.limit) throw ApiError.tooLarge(this.limit);
    const giveBack = await this.makeRoom(request, size);
    try {
      request.body = await this.read(request, context);
    } catch (error) {
      giveBack?.();
      throw error;
    }
    return giveBack ? next.handle().pipe(finalize(giveBack)) : next.handle();
  }

  /** Undefined for a small body, which needs none. */
  private makeRoom(request: RequestWithBody, size: number): Promise<() => void> | undefined {
    if (size <= MEDIUM) return undefined;
    // On routes of a host the account is not known here.
    const owner = callerOf(request)?.accountId ?? request.socket.remoteAddress ?? '';
    return (size > LARGE ? this.large : this.medium).take(size, owner);
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
    const body = await readJson(await readBytes(request, this.limit));
    const mayBeArray = this.reflector.get<boolean | undefined>(ARRAY_BODY, context.getHandler());
    if (Array.isArray(body) && !mayBeArray) throw ApiError.malformed('The request body must be a JSON object.');
    return body;
  }
}
