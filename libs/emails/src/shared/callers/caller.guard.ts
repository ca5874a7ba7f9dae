import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../errors/api-error.js';
import { refusalOfMethod } from '../routes/other-methods.js';
import { ACCOUNT_RESOLVER, type AccountResolver } from './account-resolver.js';
import { noteCaller } from './caller.js';
import { checkAccount } from './check-account.js';

const SENDING_ACCESS = 'nestjs-emails sending access';

/** Opens a route to callers that may only send. All others need full access. */
export const AllowSendingAccess = () => SetMetadata(SENDING_ACCESS, true);

/**
 * Runs after the host's guards: learns the account from the host's resolver and checks what it may do. Refuses methods that
 * a path does not answer to, when it is known whose request it is.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  private readonly logger = new Logger(CallerGuard.name);

  constructor(
    @Inject(ACCOUNT_RESOLVER) private readonly accountResolver: AccountResolver,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const caller = await this.accountResolver.resolve(request);
    checkAccount(caller?.accountId, '`accountResolver` gave', this.logger);
    const refusal = refusalOfMethod(request);
    const open = this.reflector.getAllAndOverride<boolean | undefined>(SENDING_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (caller.permission !== 'full_access' && (!open || refusal)) throw ApiError.restrictedApiKey();
    if (refusal) throw refusal;
    noteCaller(request, caller);
    return true;
  }
}
