import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { errorReport } from '../errors/error-report.js';
import { refuse } from './refuse.js';
import { isTaken } from './taken.js';

/**
 * Answers every failure in the contract's shape (section 1), and logs what is no refusal by rule. Made for the library's
 * own routes; a host may use it for all of its routes.
 */
@Catch()
@Injectable()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    if (!isTaken(request)) {
      refuse(exception, request, http.getResponse<ServerResponse>());
    } else if (!(exception instanceof HttpException)) {
      // A refusal is what an interceptor of the host would rather have answered. The route has answered, or will.
      this.logger.error(`An interceptor failed, which changes no answer of this route. ${errorReport(exception)}`);
    }
  }
}
