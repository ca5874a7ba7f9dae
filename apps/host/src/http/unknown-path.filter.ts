import type { IncomingMessage } from 'node:http';
import { type ArgumentsHost, Catch, NotFoundException } from '@nestjs/common';
import { ApiError, ApiErrorFilter, lackingAt } from 'nestjs-emails';

/**
 * Names the missing feature for an unknown path of Resend's API. It needs no key, because the API's description has the
 * same information.
 */
@Catch()
export class UnknownPathFilter extends ApiErrorFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const { url = '' } = host.switchToHttp().getRequest<IncomingMessage>();
    const lacking = exception instanceof NotFoundException ? lackingAt(url) : undefined;
    super.catch(lacking === undefined ? exception : ApiError.notFound(lacking), host);
  }
}
