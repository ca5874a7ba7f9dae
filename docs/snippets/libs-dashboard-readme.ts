import { type CanActivate, Module } from '@nestjs/common';
import type { EmailTransport } from 'nestjs-emails';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';

declare const transport: EmailTransport;
declare const accountOf: (request: object) => string;
declare class YourSessionGuard implements CanActivate {
  canActivate(): boolean;
}
