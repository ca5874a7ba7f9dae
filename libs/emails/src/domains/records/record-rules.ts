import { Inject, Injectable } from '@nestjs/common';
import type { DomainsOptions } from '../domains.options.js';
import { DOMAINS_OPTIONS } from '../domains.tokens.js';
import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity } from '../storage/domain-key.entity.js';
import type { WantedRecord } from './wanted-record.js';
import { type RecordOptions, wantedRecords } from './wanted-records.js';

/** The records of domains, by the options of the feature. */
@Injectable()
export class RecordRules {
  /** No key of ours is used. */
  readonly isSignedByRelay: boolean;
  private readonly options: RecordOptions;

  constructor(@Inject(DOMAINS_OPTIONS) { bounceHost, spfMechanisms, dkim }: DomainsOptions) {
    this.isSignedByRelay = dkim === 'relay';
    this.options = { bounceHost, spfMechanisms, isSignedByRelay: this.isSignedByRelay };
  }

  of(domain: DomainEntity, keys: readonly DomainKeyEntity[]): WantedRecord[] {
    return wantedRecords(domain, keys, this.options);
  }
}
