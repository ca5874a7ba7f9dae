import type { IncomingMessage } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { JsonBodyInterceptor } from './json-body.interceptor.js';

/** Like `JsonBodyInterceptor`, for requests that need no body: one that is not there needs no content type either. */
@Injectable()
export class OptionalBodyInterceptor extends JsonBodyInterceptor {
  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<IncomingMessage & { body?: unknown }>();
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && Number(length) === 0) {
      request.body = {};
      return next.handle();
    }
    return super.intercept(context, next);
  }
}
