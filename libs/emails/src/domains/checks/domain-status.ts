import type { WantedRecord } from '../records/wanted-record.js';
import type { DomainStatus, RecordStatus } from '../storage/domain-status.js';
import type { RecordChecks } from '../storage/record-check.js';
import { wasThere } from './next-check.js';

/** The best first: one key that signs is enough. */
const BEST: readonly RecordStatus[] = ['verified', 'temporary_failure', 'pending', 'failed', 'not_started'];

/**
 * The status of a domain after a check: verified with one DKIM key and all other records. A verified domain stays verified
 * until one of them has failed. Those of the return path must have been there: neither an hour without DNS nor a new option of
 * the host, which asks for others, takes it back.
 */
export function domainStatus(
  previous: DomainStatus,
  records: readonly WantedRecord[],
  checks: RecordChecks,
): DomainStatus {
  const statusOf = ({ key }: WantedRecord): RecordStatus => checks[key]?.status ?? 'not_started';
  const keys = records.filter((record) => record.kind === 'dkim' && record.retiredAt === null).map(statusOf);
  const hasKeys = records.some(({ kind }) => kind === 'dkim');
  const others = records.filter(({ kind }) => kind !== 'dkim');
  const counting = previous === 'verified' ? others.filter((record) => canBeLost(record, checks)) : others;
  const best = hasKeys ? [BEST.find((status) => keys.includes(status)) ?? 'failed'] : [];
  const needed = [...counting.map(statusOf), ...best];
  if (needed.includes('failed')) return 'failed';
  if (previous === 'verified') return 'verified';
  if (needed.length > 0 && needed.every((status) => status === 'verified')) return 'verified';
  return needed.every((status) => status === 'not_started') ? 'not_started' : 'pending';
}

/** The challenge proves whose the domain is: without it, nothing does. */
function canBeLost(record: WantedRecord, checks: RecordChecks): boolean {
  return record.kind === 'challenge' || wasThere(record, checks);
}
