import type { IncomingMessage } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable } from '@nestjs/common';
import { JsonBodyInterceptor } from 'nestjs-emails';
import type { Observable } from 'rxjs';

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
