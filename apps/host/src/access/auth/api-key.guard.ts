import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { isDatabaseUnavailable } from '../../shared/errors/database-problem.js';
import { setCaller } from '../callers/caller.js';
import { bearerToken } from './bearer-token.js';
import { FailedKeysService } from './failed-keys.service.js';
import { KeyLookupService, type KnownKey } from './key-lookup.service.js';
import { KeyUsageService } from './key-usage.service.js';

/** Lets callers with a valid API key pass and notes on the request who they are. Reads headers only. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly lookup: KeyLookupService,
    private readonly usage: KeyUsageService,
    private readonly failedKeys: FailedKeysService,
  ) {}

  /** @throws ApiError 401 without a valid key, 429 after too many of them, 503 when the database cannot be asked */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const key = await this.find(request);
    setCaller(request, key.caller);
    this.usage.note(key.id);
    return true;
  }

  private async find(request: IncomingMessage): Promise<KnownKey> {
    try {
      return (await this.lookUp(bearerToken(request), request.socket.remoteAddress)) ?? refuseUnknown();
    } catch (error) {
      if (error instanceof ApiError && error.name === 'invalid_api_key') {
        await this.failedKeys.count(request.socket.remoteAddress);
      }
      throw error;
    }
  }

  private async lookUp(token: string, address: string | undefined): Promise<KnownKey | null> {
    try {
      return await this.lookup.find(token, () => this.failedKeys.isHeldBack(address));
    } catch (error) {
      throw isDatabaseUnavailable(error) ? ApiError.unavailable() : error;
    }
  }
}

function refuseUnknown(): never {
  throw ApiError.invalidApiKey();
}
