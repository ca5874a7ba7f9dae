import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { settings } from './settings.js';

const accounts = new WeakMap<IncomingMessage, string>();

/** Admits requests with a key, and notes its account. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const key = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) throw ApiError.missingApiKey();
    const account = settings.accounts.get(key);
    if (account === undefined) throw ApiError.invalidApiKey();
    accounts.set(request, account);
    return true;
  }
}

/** The account whose key came with the request. */
export function accountOf(request: IncomingMessage): string {
  const account = accounts.get(request);
  if (account === undefined) throw ApiError.missingApiKey();
  return account;
}
