import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../../shared/errors/api-error.js';
import { wrongAccountId } from '../../shared/text/account-id.js';
import type { EmailsOptions } from '../emails.options.js';
import { EMAILS_OPTIONS } from '../emails.tokens.js';
import type { Caller } from '../ports/account-resolver.js';

const CALLER = Symbol('nestjs-emails caller');
const SENDING_ACCESS = 'nestjs-emails sending access';

interface RequestWithCaller extends IncomingMessage {
  [CALLER]?: Caller;
}

/** Opens a route to callers that may only send. All others need full access. */
export const AllowSendingAccess = () => SetMetadata(SENDING_ACCESS, true);

/** The account the request stands for; undefined on routes that are not the library's. */
export function callerOf(request: RequestWithCaller): Caller | undefined {
  return request[CALLER];
}

/** Runs after the host's guards: learns the account from the host's resolver and checks what it may do. */
@Injectable()
export class CallerGuard implements CanActivate {
  private readonly logger = new Logger(CallerGuard.name);

  constructor(
    @Inject(EMAILS_OPTIONS) private readonly options: EmailsOptions,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = await this.options.accountResolver.resolve(request);
    this.check(caller);
    const open = this.reflector.getAllAndOverride<boolean | undefined>(SENDING_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (caller.permission !== 'full_access' && !open) throw ApiError.restrictedApiKey();
    request[CALLER] = caller;
    return true;
  }

  /** @throws ApiError 500 for what is the host's mistake, not the caller's; its log says what is wrong */
  private check(caller: Caller | undefined): void {
    const wrong = wrongAccountId(caller?.accountId);
    if (wrong === undefined) return;
    this.logger.error(`The account id that \`accountResolver\` gave ${wrong}.`);
    throw ApiError.bug();
  }
}
