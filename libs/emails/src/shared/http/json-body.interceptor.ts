import type { IncomingMessage } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { JsonBodyReader } from './json-body.reader.js';

/** Bytes. */
const LIMIT = 1_000_000;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads the JSON body of its controller's routes. An interceptor, because Nest runs guards before it: nobody's body is
 * read before the caller is known. For an application that was created with `bodyParser: false`: one that keeps its parsers
 * has read the bodies of its own routes by then.
 *
 * Sets `request.body` to an object; an absent body is `{}`. Limit: 1 MB. Bodies over 64 kB are read as there is room
 * for what comes of them, so that their number cannot exhaust memory, however slowly they come.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly bodies = new JsonBodyReader({ wire: LIMIT, kept: LIMIT });

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<IncomingMessage & { body?: unknown }>();
    if (!METHODS_WITH_BODY.has(request.method ?? '')) return next.handle();
    const { body, memory } = await this.bodies.read(request);
    request.body = body;
    return memory ? next.handle().pipe(finalize(() => memory.close())) : next.handle();
  }
}
