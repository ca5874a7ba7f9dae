import type { WantedRecord } from '../records/wanted-record.js';
import { DMARC, dkimKey } from '../records/wanted-records.js';
import type { DomainEntity } from '../storage/domain.entity.js';
import type { DomainKeyEntity } from '../storage/domain-key.entity.js';
import type { RecordStatus } from '../storage/domain-status.js';
import type { RecordCheck, RecordChecks } from '../storage/record-check.js';
import { nextCheckAt } from './check-times.js';
import { domainStatus } from './domain-status.js';
import type { Findings } from './look-up-domain.js';
import { nextCheck, waitedFor, wasThere } from './next-check.js';
import { replacedKeys } from './retire-keys.js';

type State = Pick<
  DomainEntity,
  'status' | 'checks' | 'verifiedAt' | 'missingSince' | 'verifyingSince' | 'checkedAt' | 'nextCheckAt'
>;

const MISSING: readonly (RecordStatus | undefined)[] = ['temporary_failure', 'failed'];
const WAITING: readonly (RecordStatus | undefined)[] = ['pending', 'temporary_failure'];

/** Records that are looked up: a retired key may be removed at any time. */
export function lookedUpRecords(records: readonly WantedRecord[]): WantedRecord[] {
  return [...records.filter((record) => record.kind !== 'dkim' || record.retiredAt === null), DMARC];
}

/** The state of a domain after a request to verify it. */
export function requested(domain: DomainEntity, records: readonly WantedRecord[], now: Date) {
  const checks = mapChecks(domain.checks, records, (check) => waitedFor(check, now));
  return { checks, status: domainStatus(domain.status, records, checks), verifyingSince: now };
}

/** The state of a domain after a check. */
export function checked(
  domain: State,
  records: readonly WantedRecord[],
  findings: Findings,
  now: Date,
): Omit<State, 'verifyingSince'> {
  const checks = mapChecks(domain.checks, records, (check, { key, value }) => {
    const seen = findings.get(key);
    return seen === undefined ? check : nextCheck(check, seen, now, value);
  });
  const status = domainStatus(domain.status, records, checks);
  const verifiedAt = domain.verifiedAt ?? (status === 'verified' ? now : null);
  const current = records.filter((record) => record.kind !== 'dkim' || record.retiredAt === null);
  const isAny = (among: readonly WantedRecord[], statuses: readonly (RecordStatus | undefined)[]) =>
    among.some(({ key }) => statuses.includes(checks[key]?.status));
  const known = current.filter((record) => wasThere(record, checks));
  return {
    checks,
    status,
    verifiedAt,
    missingSince: verifiedAt && isAny(known, MISSING) ? (domain.missingSince ?? now) : null,
    checkedAt: now,
    nextCheckAt: nextCheckAt({ since: domain.verifyingSince ?? now, now, isWaiting: isAny(current, WAITING) }),
  };
}

/** Keys whose record was found for the first time, and those that they replace. */
export function changedKeys<K extends DomainKeyEntity>(keys: readonly K[], checks: RecordChecks, now: Date) {
  const isNew = (key: K) => key.verifiedAt === null && checks[dkimKey(key.selector)]?.status === 'verified';
  const after = keys.map((key) => (isNew(key) ? { ...key, verifiedAt: now } : key));
  return { verified: keys.filter(isNew), retired: replacedKeys(after) };
}

/** Checks of these records and DMARC; those of removed keys are left out. */
function mapChecks(
  checks: RecordChecks,
  records: readonly WantedRecord[],
  change: (check: RecordCheck | undefined, record: WantedRecord) => RecordCheck | undefined,
): RecordChecks {
  const wanted = new Set(lookedUpRecords(records).map(({ key }) => key));
  const entries = [...records, DMARC].flatMap((record) => {
    const { key } = record;
    const check = wanted.has(key) ? change(checks[key], record) : checks[key];
    return check ? [[key, check] as const] : [];
  });
  return Object.fromEntries(entries);
}
