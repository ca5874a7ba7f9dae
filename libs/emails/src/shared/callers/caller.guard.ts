import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../errors/api-error.js';
import { wrongAccountId } from '../text/account-id.js';
import { ACCOUNT_RESOLVER, type AccountResolver } from './account-resolver.js';
import { type Caller, noteCaller } from './caller.js';

const SENDING_ACCESS = 'nestjs-emails sending access';

/** Opens a route to callers that may only send. All others need full access. */
export const AllowSendingAccess = () => SetMetadata(SENDING_ACCESS, true);

/** Runs after the host's guards: learns the account from the host's resolver and checks what it may do. */
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
    this.check(caller);
    const open = this.reflector.getAllAndOverride<boolean | undefined>(SENDING_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (caller.permission !== 'full_access' && !open) throw ApiError.restrictedApiKey();
    noteCaller(request, caller);
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
