import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { type AccountResolver, ApiError, type Caller, type PageRole, requireRole, roleOf } from 'nestjs-emails';
import { firstValueFrom, isObservable } from 'rxjs';
import { requireOwnOrigin, requireOwnScript } from './own-request.js';
import type { VisitorRecord, Visitors } from './visitors.js';

/** The handler that guards see, for their metadata. */
export class DashboardPage {
  show(): void {}
}

/** Visitors authenticated by the host's guards. */
export class HostVisitors implements Visitors {
  readonly signIn = 'host';

  constructor(
    private readonly guards: readonly CanActivate[],
    private readonly accountResolver: AccountResolver,
    private readonly publicUrl: string | undefined,
  ) {}

  async describe(request: IncomingMessage, response: ServerResponse): Promise<VisitorRecord> {
    requireOwnScript(request, this.publicUrl);
    const caller = await this.ask(request, response).catch((error: unknown) => {
      if (isRefusal(error)) return undefined;
      throw error;
    });
    const isIn = caller?.permission === 'full_access';
    return {
      signedIn: isIn,
      permission: caller?.permission ?? null,
      role: isIn ? roleOf(caller) : null,
      accountId: isIn ? caller.accountId : null,
      key: null,
      expires_at: null,
    };
  }

  async admit(request: IncomingMessage, response: ServerResponse, needed: PageRole): Promise<Caller> {
    requireOwnScript(request, this.publicUrl);
    return permitted(await this.ask(request, response), needed);
  }

  async admitFrame(request: IncomingMessage, response: ServerResponse, needed: PageRole): Promise<Caller> {
    requireOwnOrigin(request, this.publicUrl);
    return permitted(await this.ask(request, response), needed);
  }

  private async ask(request: IncomingMessage, response: ServerResponse): Promise<Caller> {
    const context = new ExecutionContextHost([request, response], DashboardPage as Type, DashboardPage.prototype.show);
    context.setType('http');
    for (const guard of this.guards) {
      const answer = await guard.canActivate(context);
      const isLet = isObservable(answer) ? await firstValueFrom(answer, { defaultValue: false }) : answer;
      if (!isLet) throw new ApiError(403, 'invalid_access', 'This host does not let you see this page.');
    }
    return this.accountResolver.resolve(request);
  }
}

/** The same rules as for routes of the API: sending-only callers see nothing. */
function permitted(caller: Caller, needed: PageRole): Caller {
  if (caller.permission !== 'full_access') throw ApiError.restrictedApiKey();
  requireRole(caller, needed);
  return caller;
}

/** True if an error is a guard's refusal: Nest's exceptions and ours have such a status. */
function isRefusal(error: unknown): boolean {
  const status = (error as { getStatus?: () => number } | null)?.getStatus?.();
  return status === 401 || status === 403;
}
