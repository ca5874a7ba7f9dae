import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AdminAccess } from './admin-access.js';

/** Admits operators. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly access: AdminAccess) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.access.require(context.switchToHttp().getRequest<IncomingMessage>());
    return true;
  }
}
