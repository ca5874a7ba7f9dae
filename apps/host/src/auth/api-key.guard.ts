import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { isDatabaseUnavailable } from '../database/database-problem.js';
import { bearerToken } from './bearer-token.js';
import { setCaller } from './caller.js';
import { KeyLookupService, type KnownKey } from './key-lookup.service.js';
import { KeyUsageService } from './key-usage.service.js';

/** Lets callers with a valid API key pass and notes on the request who they are. Reads headers only. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly lookup: KeyLookupService,
    private readonly usage: KeyUsageService,
  ) {}

  /** @throws ApiError 401 without a valid key, 503 when the database cannot be asked */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const key = await this.find(bearerToken(request));
    if (key === null) {
      throw ApiError.invalidApiKey();
    }
    setCaller(request, key.caller);
    this.usage.note(key.id);
    return true;
  }

  private async find(token: string): Promise<KnownKey | null> {
    try {
      return await this.lookup.find(token);
    } catch (error) {
      throw isDatabaseUnavailable(error) ? ApiError.unavailable() : error;
    }
  }
}
