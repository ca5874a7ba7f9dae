import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type AccountResolver, ApiError, type Caller } from 'nestjs-emails';
import { callerOf } from '../callers/caller.js';

/** Tells the library what `ApiKeyGuard` found out. */
@Injectable()
export class RequestAccountResolver implements AccountResolver {
  resolve(request: IncomingMessage): Caller {
    const caller = callerOf(request);
    if (caller === undefined) {
      throw ApiError.missingApiKey();
    }
    return caller;
  }
}
