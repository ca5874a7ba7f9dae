import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AccountResolver, Credentials, CredentialsResolver } from '../../shared/callers/account-resolver.js';
import { type Caller, callerOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';

/** Tells the other modules whose key it is: the one that `ApiKeyGuard` found on a request, or one shown otherwise. */
@Injectable()
export class ApiKeyResolver implements AccountResolver, CredentialsResolver {
  /** @internal Made by `AccessModule`. */
  constructor(private readonly authenticator: ApiKeyAuthenticator) {}

  resolve(request: IncomingMessage): Caller {
    const caller = callerOf(request);
    if (!caller) throw ApiError.missingApiKey();
    return caller;
  }

  resolveCredentials({ token, remoteAddress }: Credentials): Promise<Caller> {
    return this.authenticator.authenticate(token, remoteAddress);
  }
}
