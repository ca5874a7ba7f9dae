import type { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';

/** This host answers failures in the format of RFC 9457. The library's routes keep to their own contract. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    response.statusCode = statusOf(error);
    response.setHeader('content-type', 'application/problem+json');
    response.end(JSON.stringify({ status: response.statusCode, title: error instanceof Error ? error.message : '' }));
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof ApiError ? error.statusCode : 500;
}
