import { Inject, Injectable } from '@nestjs/common';
import type { MessageStage, StagedMessage, StageResult } from '../../index.js';
import { KnownDomains } from '../keys/known-domains.js';

/** Lets mail of a domain with `tls: enforced` leave over TLS only. */
@Injectable()
export class DomainTlsStage implements MessageStage {
  constructor(@Inject(KnownDomains) private readonly domains: Pick<KnownDomains, 'find'>) {}

  async apply({ accountId, fromDomain }: StagedMessage): Promise<StageResult | undefined> {
    const domain = await this.domains.find(accountId, fromDomain);
    return domain?.tls === 'enforced' ? { tls: 'enforced' } : undefined;
  }
}
