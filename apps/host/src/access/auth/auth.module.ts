import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { FailedKeysService } from './failed-keys.service.js';
import { KeyLookupService } from './key-lookup.service.js';
import { KeyUsageService } from './key-usage.service.js';
import { RequestAccountResolver } from './request-account-resolver.js';

/** Who sent a request. */
@Module({
  providers: [KeyLookupService, KeyUsageService, FailedKeysService, ApiKeyGuard, RequestAccountResolver],
  // What `ApiKeyGuard` needs is exported too, because Nest makes guards anew where they are used.
  exports: [KeyLookupService, KeyUsageService, FailedKeysService, ApiKeyGuard, RequestAccountResolver],
})
export class AuthModule {}
