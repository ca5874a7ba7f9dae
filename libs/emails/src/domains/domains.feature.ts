import type { Provider } from '@nestjs/common';
import type { EmailsFeature } from '../index.js';
import type { FeatureSettings } from '../shared/features/feature.options.js';
import { featureSettings } from '../shared/features/feature-settings.js';
import { secretKeysProviders } from '../shared/features/secret-keys-providers.js';
import { DomainChecker } from './checks/domain-checker.js';
import { DomainChecksRepository } from './checks/domain-checks.repository.js';
import { DomainWatch } from './checks/domain-watch.js';
import { DevelopmentSigningKeys } from './development/development-signing-keys.js';
import { DomainNameService } from './dns/domain-name-service.js';
import { ResolverService } from './dns/resolver.service.js';
import { domainsOpenApi } from './domains.openapi.js';
import type { DomainsOptions } from './domains.options.js';
import { checkTogether, DOMAINS_RULES } from './domains.rules.js';
import { DOMAINS_OPTIONS } from './domains.tokens.js';
import { DomainsController } from './endpoints/domains.controller.js';
import { DomainsService } from './endpoints/domains.service.js';
import { KeyPairs } from './keys/key-pairs.js';
import { KeyResealing } from './keys/key-resealing.js';
import { KeysCheck } from './keys/keys-check.js';
import { KnownDomains } from './keys/known-domains.js';
import { NewKeys } from './keys/new-keys.js';
import { SealedKeys } from './keys/sealed-keys.js';
import { StoredSigningKeys } from './keys/stored-signing-keys.js';
import { domainsMigrations } from './migrations/index.js';
import { PublicSuffixes } from './names/public-suffixes.js';
import { DomainAlarms } from './observation/domain-alarms.js';
import { DomainMetrics } from './observation/domain-metrics.js';
import { RecordRules } from './records/record-rules.js';
import { sendingPorts, sendingProviders } from './sending.js';
import { SigningKeys } from './signing/signing-keys.js';
import { DomainsRepository } from './storage/domains.repository.js';
import { domainsEntities } from './storage/entities.js';

const GIVEN = Symbol('nestjs-emails domains given options');

const MADE_OF_OPTIONS: Provider[] = [
  ...secretKeysProviders(GIVEN, DOMAINS_OPTIONS),
  {
    provide: DomainNameService,
    inject: [DOMAINS_OPTIONS],
    useFactory: (options: DomainsOptions) => {
      checkTogether(options);
      return new ResolverService({ servers: options.dnsServers });
    },
  },
  {
    provide: SigningKeys,
    inject: [DOMAINS_OPTIONS, StoredSigningKeys, KnownDomains],
    useFactory: ({ developmentKey }: DomainsOptions, keys: StoredSigningKeys, domains: KnownDomains) =>
      developmentKey ? new DevelopmentSigningKeys(keys, domains, developmentKey) : keys,
  },
];

const SERVICES = [DomainsService, KnownDomains, DomainAlarms, DomainMetrics];

/** Domains: `/domains`, their DKIM keys, and the checks of their DNS records. */
export function domains(settings: FeatureSettings<DomainsOptions> = {}): EmailsFeature {
  const { provider, ...rest } = featureSettings('domains', GIVEN, DOMAINS_RULES, settings);
  return {
    name: 'domains',
    controllers: [DomainsController],
    providers: [
      provider,
      ...MADE_OF_OPTIONS,
      ...SERVICES,
      DomainsRepository,
      DomainChecksRepository,
      DomainChecker,
      RecordRules,
      PublicSuffixes,
      KeyPairs,
      NewKeys,
      SealedKeys,
      StoredSigningKeys,
      KeysCheck,
      ...sendingProviders,
    ],
    workers: [DomainWatch, KeyResealing],
    housekeeping: [KeyResealing],
    exports: SERVICES,
    entities: domainsEntities,
    migrations: domainsMigrations,
    openApi: domainsOpenApi,
    ...sendingPorts,
    metrics: [DomainMetrics, ...sendingPorts.metrics],
    alarmSources: [DomainAlarms, ...sendingPorts.alarmSources],
    ...rest,
  };
}
