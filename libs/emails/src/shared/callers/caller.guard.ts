import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../errors/api-error.js';
import { refusalOfMethod } from '../routes/other-methods.js';
import { ACCOUNT_RESOLVER, type AccountResolver } from './account-resolver.js';
import { type Caller, noteCaller } from './caller.js';
import { checkAccount } from './check-account.js';
import { callerHandedOn } from './handed-on.js';
import { lowerRole, neededRole, requireRole } from './page-role.js';

const SENDING_ACCESS = 'nestjs-emails sending access';

/** Opens a route to callers that may only send. All other routes need full access. */
export const AllowSendingAccess = () => SetMetadata(SENDING_ACCESS, true);

/**
 * Runs after the host's guards: gets the account from the host's resolver and checks its permission and role. Refuses methods
 * that a path does not have, once the account is known.
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
    const person = withRole(caller, callerHandedOn(request));
    requireRole(person, neededRole(context.getHandler(), context.getClass()) ?? 'admin');
    if (refusal) throw refusal;
    const page = callerHandedOn(request)?.page;
    noteCaller(request, page ? { ...person, page } : person);
    return true;
  }
}

/** A resolver of the host may not know the role of the session that handed a request on. */
function withRole(caller: Caller, handedOn: Caller | undefined): Caller {
  const role = lowerRole(caller.role, handedOn?.role);
  return role === caller.role ? caller : { ...caller, role };
}
