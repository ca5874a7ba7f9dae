import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Caller, noteCaller } from '../../shared/callers/caller.js';
import { callerHandedOn } from '../../shared/callers/handed-on.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { bearerToken } from './bearer-token.js';
import { refusePageKey } from './refuse-page-key.js';

/**
 * Admits callers with a valid API key, and requests that this process hands on (`handRequestOn`), and notes the caller
 * on the request. Reads headers only.
 *
 * @example
 * ```ts
 * @Controller('letters')
 * @UseGuards(ApiKeyGuard, RateLimitGuard)
 * export class LettersController {}
 * ```
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** @internal Made by `access()`. */
  constructor(private readonly authenticator: ApiKeyAuthenticator) {}

  /** @throws ApiError 401 without a valid key, or for a key of the page, 429 after too many of them, 503 when the database cannot be asked */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    noteCaller(request, callerHandedOn(request) ?? (await this.callerOfKey(request)));
    return true;
  }

  private async callerOfKey(request: IncomingMessage): Promise<Caller> {
    const token = await this.tokenOf(request);
    return refusePageKey(await this.authenticator.authenticate(token, request.socket.remoteAddress));
  }

  private async tokenOf(request: IncomingMessage): Promise<string> {
    try {
      return bearerToken(request);
    } catch (error) {
      const isGuess = error instanceof ApiError && error.name === 'invalid_api_key';
      if (isGuess) return this.authenticator.refuse(request.socket.remoteAddress);
      throw error;
    }
  }
}
