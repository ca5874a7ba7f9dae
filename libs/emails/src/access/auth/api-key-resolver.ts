import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type {
  AccountResolver,
  Credentials,
  CredentialsResolver,
  IdentifiedKey,
  KeyIdentifier,
} from '../../shared/callers/account-resolver.js';
import { type Caller, callerOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { EndedSessionsService } from '../sessions/ended-sessions.service.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { orUnavailable } from './or-unavailable.js';
import { refusePageKey } from './refuse-page-key.js';

/**
 * Resolves a key to its account for the other modules: the key that `ApiKeyGuard` found on a request, or credentials
 * without a request.
 *
 * @example
 * ```ts
 * const { accountId } = await app.get(ApiKeyResolver).resolveCredentials({ token: 're_…' });
 * ```
 */
@Injectable()
export class ApiKeyResolver implements AccountResolver, CredentialsResolver, KeyIdentifier {
  /** @internal Made by `access()`. */
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly endedSessions: EndedSessionsService,
  ) {}

  resolve(request: IncomingMessage): Caller {
    const caller = callerOf(request);
    if (!caller) throw ApiError.missingApiKey();
    return caller;
  }

  async resolveCredentials(credentials: Credentials): Promise<Caller> {
    return refusePageKey(await this.identifyKey(credentials));
  }

  identifyKey({ token, remoteAddress }: Credentials): Promise<IdentifiedKey> {
    return this.authenticator.authenticate(token, remoteAddress);
  }

  callerOfKey(id: string): Promise<Caller | undefined> {
    return this.authenticator.callerOf(id);
  }

  endSession(sessionId: string, endsAt: Date): Promise<void> {
    return orUnavailable(this.endedSessions.end(sessionId, endsAt));
  }

  isSessionEnded(sessionId: string): Promise<boolean> {
    return orUnavailable(this.endedSessions.has(sessionId));
  }
}
