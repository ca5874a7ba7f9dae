import type { DomainEntity } from '../storage/domain.entity.js';
import type { RecordCheck } from '../storage/record-check.js';
import { adviceText } from './advice.js';
import type { AdvisedRecordDto, DomainRecordDto } from './domain-record.dto.js';
import { labelOf, typeOf, type WantedRecord } from './wanted-record.js';

type Shown = Pick<DomainEntity, 'name' | 'checks'>;

/** A record as webhooks have it: without what was found. */
export function plainRecord(record: WantedRecord, { checks }: Pick<Shown, 'checks'>): DomainRecordDto {
  return {
    record: labelOf(record),
    name: record.name,
    type: typeOf(record),
    ttl: 'Auto',
    status: checks[record.key]?.status ?? 'not_started',
    value: record.value,
    ...(record.kind === 'mx' && { priority: record.priority }),
  };
}

/** A record with what was found, and advice. @param unreadable the private key cannot be opened */
export function advisedRecord(record: WantedRecord, domain: Shown, unreadable = false): AdvisedRecordDto {
  const check: RecordCheck | undefined = domain.checks[record.key];
  const advice = unreadable ? [{ code: 'key_unreadable' as const }, ...(check?.advice ?? [])] : (check?.advice ?? []);
  const facts = {
    name: `${record.name}.${domain.name}`,
    relative: record.name,
    type: typeOf(record),
    value: record.value,
  };
  return {
    ...plainRecord(record, domain),
    found: check?.found ?? null,
    advice: advice.map((one) => ({ code: one.code, text: adviceText(one, facts) })),
  };
}
