import { UseGuards } from '@nestjs/common';
import { RateLimitGuard } from '../rate-limit/rate-limit.guard.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { FullAccessGuard } from './full-access.guard.js';

/** For resources of the host: a valid key with full access. Import `AuthModule` where it is used. */
export const FullAccess = (): ClassDecorator & MethodDecorator =>
  UseGuards(ApiKeyGuard, RateLimitGuard, FullAccessGuard);
