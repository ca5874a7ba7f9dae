import type { EntityManager } from 'typeorm';
import { plainRecord } from '../records/shown-records.js';
import type { WantedRecord } from '../records/wanted-record.js';
import type { DomainEntity } from '../storage/domain.entity.js';

/** An event of a domain. */
export type DomainEvent = 'domain.created' | 'domain.updated' | 'domain.deleted';

/** Records an event in the transaction of the change. */
export async function publishDomain(
  manager: EntityManager,
  event: DomainEvent,
  domain: DomainEntity,
  records: readonly WantedRecord[],
): Promise<void> {
  await manager.query('SELECT nestjs_emails.publish_domain($1, $2, $3)', [
    domain.accountId,
    event,
    JSON.stringify(eventData(domain, records)),
  ]);
}

/** The data of an event (contract, B4). */
export function eventData(domain: DomainEntity, records: readonly WantedRecord[]) {
  const { id, name, status, region, sending, createdText } = domain;
  return {
    id,
    name,
    status,
    created_at: isoOf(createdText),
    region,
    capabilities: { sending: sending ? 'enabled' : 'disabled', receiving: 'disabled' },
    records: records.map((record) => plainRecord(record, domain)),
  };
}

/** `2026-11-21 05:26:01.123456+00` as `2026-11-21T05:26:01.123Z`. */
const isoOf = (text: string): string => new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString();
