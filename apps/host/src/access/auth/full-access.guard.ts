import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { callerOf } from '../callers/caller.js';

/** Refuses keys that may only send. Runs after `ApiKeyGuard`. */
@Injectable()
export class FullAccessGuard implements CanActivate {
  /** @throws ApiError `restricted_api_key` */
  canActivate(context: ExecutionContext): true {
    if (callerOf(context.switchToHttp().getRequest())?.permission !== 'full_access') {
      throw ApiError.restrictedApiKey();
    }
    return true;
  }
}
