import { storableText } from '../../shared/text/storable-text.js';
import type { Advice } from '../records/advice.js';
import type { RecordStatus } from '../storage/domain-status.js';
import type { RecordCheck } from '../storage/record-check.js';
import type { Finding } from './finding.js';

/** Time for which a missing record is waited for. Milliseconds. */
export const PATIENCE = 72 * 3_600_000;

/** Limits of what is kept of the records that were found. */
const RECORDS = 5;
const CHARACTERS = 600;
const DETAIL = 200;

/**
 * The state of a record after a look at it. A lookup that failed is no absence: the record keeps its status, for as long as
 * that takes.
 *
 * @param seen the finding, or the code of the lookup that failed
 */
export function nextCheck(previous: RecordCheck | undefined, seen: Finding | string, now: Date): RecordCheck {
  const { status = 'not_started', since = null, found = null } = previous ?? {};
  if (typeof seen === 'string') {
    const isNew = status === 'not_started';
    return {
      status: isNew ? 'pending' : status,
      since: isNew ? now.toISOString() : since,
      found,
      advice: [{ code: 'no_answer', detail: seen }],
    };
  }
  const shown = {
    found: seen.found.slice(0, RECORDS).map((text) => storableText(text, CHARACTERS)),
    advice: cut(seen.advice),
  };
  if (seen.isRight) return { status: 'verified', since: null, ...shown };
  return { ...missing(status, since, now), ...shown };
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
  if (status === 'verified') return { status, since, found, advice };
  return {
    status: status === 'temporary_failure' ? status : 'pending',
    since: now.toISOString(),
    found,
    advice,
  };
}

function cut(advice: readonly Advice[]): Advice[] {
  return advice.map(({ code, detail }) => ({
    code,
    ...(detail !== undefined && { detail: storableText(detail, DETAIL) }),
  }));
}
