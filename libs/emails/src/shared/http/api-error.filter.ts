import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { errorReport } from '../errors/error-report.js';
import { isClaimed } from './claimed-request.js';
import { refuse } from './refuse.js';

/**
 * Answers every failure in the contract's shape (section 1), and logs errors that are not regular refusals. Made for
 * the library's own routes; a host may use it for all of its routes.
 *
 * @example
 * ```ts
 * @Controller('orders')
 * @UseFilters(ApiErrorFilter)
 * export class OrdersController {}
 * ```
 */
@Catch()
@Injectable()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    if (!isClaimed(request)) {
      refuse(exception, request, http.getResponse<ServerResponse>());
    } else if (!(exception instanceof HttpException)) {
      // A refusal comes from an interceptor of the host. The route has answered, or will.
      this.logger.error(
        `An interceptor failed, which does not change the answer of this route. ${errorReport(exception)}`,
      );
    }
  }
}
