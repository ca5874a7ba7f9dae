import type { AdvisedRecordDto, KeyTimesDto } from '../records/domain-record.dto.js';
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
  const bySelector = new Map(keys.map((key) => [key.selector, key]));
  return records.map((record) => {
    const key = record.kind === 'dkim' ? bySelector.get(record.selector) : undefined;
    if (!key) return advisedRecord(record, domain);
    const isUnreadable = key.retiredAt === null && !knows(key.keyId);
    return { ...advisedRecord(record, domain, isUnreadable), key: keyTimes(key) };
  });
}

function keyTimes({ createdAt, verifiedAt, retiredAt }: DomainKeyEntity): KeyTimesDto {
  return {
    created_at: timestampText(createdAt),
    verified_at: verifiedAt && timestampText(verifiedAt),
    retired_at: retiredAt && timestampText(retiredAt),
  };
}

/** In the format of the contract (section 3). */
function timestampText(time: Date): string {
  return `${time.toISOString().slice(0, -1).replace('T', ' ')}000+00`;
}
