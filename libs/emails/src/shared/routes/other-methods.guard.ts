import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { refusalOfMethod } from './other-methods.js';

/** Refuses methods that a path does not answer to, whoever comes. What `CallerGuard` does where it asks who that is. */
@Injectable()
export class OtherMethodsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusal = refusalOfMethod(context.switchToHttp().getRequest<IncomingMessage>());
    if (refusal) throw refusal;
    return true;
  }
}
