import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { refusalOfMethod } from './other-methods.js';

/** Refuses methods that a path does not have, for every caller. `CallerGuard` does so where it identifies the caller. */
@Injectable()
export class OtherMethodsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusal = refusalOfMethod(context.switchToHttp().getRequest<IncomingMessage>());
    if (refusal) throw refusal;
    return true;
  }
}
