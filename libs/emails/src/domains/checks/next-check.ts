import { storableText } from '../../shared/text/storable-text.js';
import type { Advice } from '../records/advice.js';
import type { WantedRecord } from '../records/wanted-record.js';
import type { RecordStatus } from '../storage/domain-status.js';
import type { RecordCheck, RecordChecks } from '../storage/record-check.js';
import type { Finding } from './finding.js';

/** Time for which a missing record is waited for. Milliseconds. */
export const PATIENCE = 72 * 3_600_000;

/** Limits of what is kept of the records that were found. */
const RECORDS = 5;
const CHARACTERS = 600;
const DETAIL = 200;

const VERIFIED: readonly RecordStatus[] = ['verified', 'temporary_failure'];

/**
 * The state of a record after a look at it. A lookup that failed is no absence: the record keeps its status, for as long as
 * that takes.
 *
 * @param seen the finding, or the code of the lookup that failed
 * @param value of the record, as it should be
 */
export function nextCheck(
  previous: RecordCheck | undefined,
  seen: Finding | string,
  now: Date,
  value: string,
): RecordCheck {
  const { status = 'not_started', since = null, found = null } = previous ?? {};
  const before = VERIFIED.includes(status)
    ? { verifiedValue: value, ...verifiedValueOf(previous) }
    : verifiedValueOf(previous);
  if (typeof seen === 'string') {
    const isNew = status === 'not_started';
    return {
      status: isNew ? 'pending' : status,
      since: isNew ? now.toISOString() : since,
      found,
      advice: [{ code: 'no_answer', detail: seen }],
      ...before,
    };
  }
  const shown = {
    found: seen.found.slice(0, RECORDS).map((text) => storableText(text, CHARACTERS)),
    advice: cut(seen.advice),
  };
  if (seen.isRight) return { status: 'verified', since: null, ...shown, verifiedValue: value };
  // An option of the host has changed the record: nothing has vanished.
  const isOther = VERIFIED.includes(status) && before.verifiedValue !== value;
  return { ...(isOther ? missing('not_started', null, now) : missing(status, since, now)), ...shown, ...before };
}

/** True if a record was there, with the value that it should have now. */
export function wasThere({ key, value }: WantedRecord, checks: RecordChecks): boolean {
  return checks[key]?.verifiedValue === value;
}

function verifiedValueOf(check: RecordCheck | undefined): Pick<RecordCheck, 'verifiedValue'> {
  return check?.verifiedValue === undefined ? {} : { verifiedValue: check.verifiedValue };
}

function missing(status: RecordStatus, since: string | null, now: Date): Pick<RecordCheck, 'status' | 'since'> {
  if (status === 'failed') return { status, since };
  if (status === 'verified') return { status: 'temporary_failure', since: now.toISOString() };
  const begin = since ?? now.toISOString();
  const isOver = now.getTime() - Date.parse(begin) >= PATIENCE;
  if (isOver) return { status: 'failed', since: begin };
  return { status: status === 'temporary_failure' ? status : 'pending', since: begin };
}

/** The state of a record after a request to verify it: the time of waiting starts again. */
export function waitedFor(previous: RecordCheck | undefined, now: Date): RecordCheck {
  const { status = 'not_started', since = null, found = null, advice = [] } = previous ?? {};
  const rest = { found, advice, ...verifiedValueOf(previous) };
  if (status === 'verified') return { status, since, ...rest };
  return { status: status === 'temporary_failure' ? status : 'pending', since: now.toISOString(), ...rest };
}

function cut(advice: readonly Advice[]): Advice[] {
  return advice.map(({ code, detail }) => ({
    code,
    ...(detail !== undefined && { detail: storableText(detail, DETAIL) }),
  }));
}
