import type { IncomingMessage } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { JsonBodyReader, ORDINARY_BODY } from './json-body.reader.js';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads the JSON body of its controller's routes. It is an interceptor because Nest runs guards first: no body is read
 * before the caller is known. For an application created with `bodyParser: false`; one that keeps its parsers has
 * already read the bodies of its own routes.
 *
 * Sets `request.body` to an object; an absent body is `{}`. Limit: 1 MB. Bodies over 64 kB are read as memory becomes
 * available, so that many of them cannot exhaust it, even at a low speed.
 *
 * @example
 * ```ts
 * @Controller('orders')
 * @UseInterceptors(JsonBodyInterceptor)
 * export class OrdersController {}
 * ```
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly bodies = new JsonBodyReader(ORDINARY_BODY);

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<IncomingMessage & { body?: unknown }>();
    if (!METHODS_WITH_BODY.has(request.method ?? '')) return next.handle();
    const { body, memory } = await this.bodies.read(request);
    request.body = body;
    return memory ? next.handle().pipe(finalize(() => memory.close())) : next.handle();
  }
}
