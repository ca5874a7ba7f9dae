import { ConfigurableModuleBuilder, type DynamicModule, Inject, Module, Optional, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ACCOUNT_RESOLVER } from '../shared/callers/account-resolver.js';
import { composeFeature, EXTRAS_RULES } from '../shared/features/feature-module.js';
import {
  COMPOSED,
  checkedProviders,
  type ModuleRules,
  needOptions,
  refuseBare,
} from '../shared/options/module-options.js';
import { group, port, required } from '../shared/options/rules.js';
import type { AccessExtras, AccessOptions, RateLimitOptions } from './access.options.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { ApiKeyAuthenticator } from './auth/api-key-authenticator.js';
import { ApiKeyResolver } from './auth/api-key-resolver.js';
import { FailedKeysService } from './auth/failed-keys.service.js';
import { KeyLookupService } from './auth/key-lookup.service.js';
import { KeyUsageService } from './auth/key-usage.service.js';
import { NoDomainsController } from './domains/no-domains.controller.js';
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

/** What is exported; with it what the guards need, because Nest makes guards anew where they are used. */
const services = [
  AccountsService,
  ApiKeysService,
  ApiKeyGuard,
  ApiKeyResolver,
  ApiKeyAuthenticator,
  FailedKeysService,
  EndedSessionsService,
  RateLimitGuard,
  rateLimiter,
];

const RULES: ModuleRules<AccessOptions, AccessExtras> = {
  module: 'AccessModule',
  token: OPTIONS,
  options: {
    rateLimit: group<RateLimitOptions>({
      perSecond: required(PER_SECOND, 'it is how many requests an account may send'),
      redis: port('a client of ioredis', ['eval', 'disconnect']),
    }),
  },
  extras: EXTRAS_RULES,
  mayBeNone: true,
};

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<AccessOptions>({ optionsInjectionToken: OPTIONS })
  .setClassMethodName('forRoot')
  .setExtras<AccessExtras>({}, (definition, extras) => {
    const providers = [...checkedProviders(RULES, definition, extras), KeyLookupService, KeyUsageService];
    const feature = {
      name: 'AccessModule',
      controllers: [ApiKeysController, NoDomainsController],
      services,
      migrations: accessMigrations,
      guards: [ApiKeyGuard, RateLimitGuard, ...(extras.guards ?? [])],
      ofRoutes: [{ provide: ACCOUNT_RESOLVER, useExisting: ApiKeyResolver }],
    };
    return composeFeature(feature, extras, { ...definition, providers });
  })
  .build();
needOptions('AccessModule', ConfigurableModuleClass);

/**
 * Accounts, API keys, and guards that ask for them: `/api-keys`. Import it with `forRoot` or `forRootAsync`, beside
 * `TypeOrmModule` (with `accessEntities` and `accessMigrations`), and give `ApiKeyGuard`, `RateLimitGuard` and
 * `ApiKeyResolver` to the other modules.
 */
@Module({})
export class AccessModule extends ConfigurableModuleClass {
  /** @internal Made by Nest. */
  constructor(@Optional() @Inject(COMPOSED) composed?: true) {
    super();
    refuseBare('AccessModule', composed);
  }

  /** With these options, or none. */
  static override forRoot(options: AccessOptions & AccessExtras = {}): DynamicModule {
    return { ...ConfigurableModuleClass.forRoot(options), module: AccessModule };
  }
}
