import type { IncomingMessage } from 'node:http';
import { type ArgumentsHost, Catch, NotFoundException } from '@nestjs/common';
import { ApiError, ApiErrorFilter, lackingAt } from 'nestjs-emails';

/**
 * Says of an unknown path that Resend's API has what this server lacks. It says so to anybody: what there is and is not, the
 * API's description tells as well.
 */
@Catch()
export class UnknownPathFilter extends ApiErrorFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const { url = '' } = host.switchToHttp().getRequest<IncomingMessage>();
    const lacking = exception instanceof NotFoundException ? lackingAt(url) : undefined;
    super.catch(lacking === undefined ? exception : ApiError.notFound(lacking), host);
  }
}
