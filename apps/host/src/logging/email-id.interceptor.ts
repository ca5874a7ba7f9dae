import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';

/** Notes which email a request became, for the log line of the request. */
@Injectable()
export class EmailIdInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { method, route } = http.getRequest<Request>();
    if (method !== 'POST' || route?.path !== '/emails') return next.handle();
    const { locals } = http.getResponse<Response>();
    return next.handle().pipe(
      tap((answer: { id: string }) => {
        locals.emailId = answer.id;
      }),
    );
  }
}
