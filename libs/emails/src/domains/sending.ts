import type { Provider } from '@nestjs/common';
import type { EmailsFeature } from '../index.js';
import type { DomainsOptions } from './domains.options.js';
import { DOMAINS_OPTIONS } from './domains.tokens.js';
import { KnownDomains } from './keys/known-domains.js';
import { DomainTlsStage } from './policy/domain-tls.stage.js';
import { KnownDomainDirectory } from './policy/known-domain-directory.js';
import { VerifiedSenders } from './policy/verified-senders.policy.js';
import { DkimStage } from './signing/dkim.stage.js';
import { SigningCheck } from './signing/faults/signing-check.js';
import { SigningFaults } from './signing/faults/signing-faults.js';
import { SigningFaultsRepository } from './signing/faults/signing-faults.repository.js';
import { SigningKeys } from './signing/signing-keys.js';

/** Providers of what the domains mean for mail. */
export const sendingProviders: Provider[] = [
  SigningFaultsRepository,
  SigningCheck,
  SigningFaults,
  DomainTlsStage,
  KnownDomainDirectory,
  {
    provide: DkimStage,
    inject: [DOMAINS_OPTIONS, SigningKeys, SigningFaults],
    useFactory: (options: DomainsOptions, keys: SigningKeys, faults: SigningFaults) =>
      options.dkim === 'relay' ? undefined : new DkimStage(keys, faults, options),
  },
  {
    provide: VerifiedSenders,
    inject: [DOMAINS_OPTIONS, KnownDomains],
    useFactory: ({ from, exemptAccounts }: DomainsOptions, domains: KnownDomains) =>
      from === 'verified' ? new VerifiedSenders(domains, exemptAccounts) : undefined,
  },
];

/** The ports among them. */
export const sendingPorts = {
  domainDirectory: KnownDomainDirectory,
  senderPolicies: [VerifiedSenders],
  messageStages: [DomainTlsStage, DkimStage],
  messageSigners: [DkimStage],
  alarmSources: [SigningFaults],
  metrics: [SigningFaults],
  healthChecks: [SigningFaults],
} satisfies Partial<EmailsFeature>;
