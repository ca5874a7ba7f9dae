import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EmailsFeature } from '../index.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { group, port, required } from '../shared/options/rules.js';
import { accessOpenApi } from './access.openapi.js';
import type { AccessOptions, RateLimitOptions } from './access.options.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { ApiKeyAuthenticator } from './auth/api-key-authenticator.js';
import { ApiKeyResolver } from './auth/api-key-resolver.js';
import { FailedKeysService } from './auth/failed-keys.service.js';
import { KeyLookupService } from './auth/key-lookup.service.js';
import { KeyUsageService } from './auth/key-usage.service.js';
import { NoDomainsController } from './domains/no-domains.controller.js';
import { accessEntities } from './entities.js';
import { accessMigrations } from './migrations/index.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { createRateLimiter, PER_SECOND } from './rate-limit/rate-limiter.js';
import { RATE_LIMITER } from './rate-limit/rate-limiter.token.js';
import { EndedSessionsService } from './sessions/ended-sessions.service.js';

const OPTIONS = Symbol('nestjs-emails access options');

const rateLimiter: Provider = {
  provide: RATE_LIMITER,
  inject: [OPTIONS, DataSource],
  useFactory: (options: AccessOptions | undefined, dataSource: DataSource) =>
    options?.rateLimit && createRateLimiter(options.rateLimit, dataSource),
};

const RULES = {
  rateLimit: group<RateLimitOptions>({
    perSecond: required(PER_SECOND, 'it is how many requests an account may send'),
    redis: port('a client of ioredis', ['eval', 'disconnect']),
  }),
};

/**
 * Accounts and API keys: `/api-keys`, guards that ask for a key on all routes, and the account resolver. Its `guards` are
 * asked after these, of `/api-keys` alone.
 */
export function access(settings: FeatureSettings<AccessOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('access', OPTIONS, RULES, settings);
  return {
    name: 'access',
    controllers: [ApiKeysController],
    fallbackControllers: [NoDomainsController],
    providers: [
      provider,
      rateLimiter,
      AccountsService,
      ApiKeysService,
      ApiKeysRepository,
      ApiKeyResolver,
      ApiKeyAuthenticator,
      KeyLookupService,
      KeyUsageService,
      FailedKeysService,
      EndedSessionsService,
    ],
    // Includes the dependencies of the guards: Nest instantiates guards in the module that uses them.
    exports: [
      AccountsService,
      ApiKeysService,
      ApiKeyAuthenticator,
      FailedKeysService,
      EndedSessionsService,
      RATE_LIMITER,
    ],
    entities: accessEntities,
    migrations: accessMigrations,
    openApi: accessOpenApi,
    guards: [ApiKeyGuard, RateLimitGuard],
    accountResolver: ApiKeyResolver,
    ...rest,
  };
}
