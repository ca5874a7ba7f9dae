import type { AdvisedRecordDto } from '../records/domain-record.dto.js';
import { advisedRecord } from '../records/shown-records.js';
import type { WantedRecord } from '../records/wanted-record.js';
import { DMARC } from '../records/wanted-records.js';
import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity } from '../storage/domain-key.entity.js';
import type { DomainDto } from './domain.dto.js';
import type { ListedDomainDto } from './listed-domain.dto.js';
import type { NewDomainDto } from './new-domain.dto.js';

/** A domain in a list. */
export function listedDomain({ id, name, status, createdText, region, sending }: DomainEntity): ListedDomainDto {
  return {
    id,
    name,
    status,
    created_at: createdText,
    region,
    open_tracking: false,
    click_tracking: false,
    capabilities: { sending: sending ? 'enabled' : 'disabled', receiving: 'disabled' },
  };
}

interface Parts {
  domain: DomainEntity;
  keys: readonly DomainKeyEntity[];
  records: readonly WantedRecord[];
}

/** A domain with its records. @param knows whether a secret of this id is there */
export function newDomain(parts: Parts, knows: (keyId: string) => boolean): NewDomainDto {
  const { domain } = parts;
  return { ...listedDomain(domain), records: recordsOf(parts, knows), recommended: [advisedRecord(DMARC, domain)] };
}

/** The same, with everything. */
export function shownDomain(parts: Parts, knows: (keyId: string) => boolean): DomainDto {
  const { tls, returnPath, checkedText, nextCheckText } = parts.domain;
  return {
    object: 'domain',
    ...newDomain(parts, knows),
    tls,
    custom_return_path: returnPath,
    checked_at: checkedText,
    next_check_at: nextCheckText,
  };
}

function recordsOf({ domain, keys, records }: Parts, knows: (keyId: string) => boolean): AdvisedRecordDto[] {
  const unreadable = new Set(
    keys.filter(({ keyId, retiredAt }) => retiredAt === null && !knows(keyId)).map(({ selector }) => selector),
  );
  return records.map((record) =>
    advisedRecord(record, domain, record.kind === 'dkim' && unreadable.has(record.selector)),
  );
}
