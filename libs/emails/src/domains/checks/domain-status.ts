import type { WantedRecord } from '../records/wanted-record.js';
import type { DomainStatus, RecordStatus } from '../storage/domain-status.js';
import type { RecordChecks } from '../storage/record-check.js';

/** The best first: one key that signs is enough. */
const BEST: readonly RecordStatus[] = ['verified', 'temporary_failure', 'pending', 'failed', 'not_started'];

/**
 * The status of a domain after a check: verified with one DKIM key and all other records. A verified domain stays verified
 * until one of them has failed, so neither an hour without DNS nor a new option of the host takes it back.
 */
export function domainStatus(
  previous: DomainStatus,
  records: readonly WantedRecord[],
  checks: RecordChecks,
): DomainStatus {
  const statusOf = ({ key }: WantedRecord): RecordStatus => checks[key]?.status ?? 'not_started';
  const keys = records.filter((record) => record.kind === 'dkim' && record.retiredAt === null).map(statusOf);
  const others = records.filter(({ kind }) => kind !== 'dkim').map(statusOf);
  const hasKeys = records.some(({ kind }) => kind === 'dkim');
  const needed = [...others, ...(hasKeys ? [BEST.find((status) => keys.includes(status)) ?? 'failed'] : [])];
  if (needed.includes('failed')) return 'failed';
  if (previous === 'verified') return 'verified';
  if (needed.length > 0 && needed.every((status) => status === 'verified')) return 'verified';
  return needed.every((status) => status === 'not_started') ? 'not_started' : 'pending';
}
