import { ApiError } from '../../../shared/errors/api-error.js';
import { parseIsoTime } from '../../../shared/text/iso-time.js';
import type { Rule } from '../../../shared/validation/rule.js';
import { maybeEnglishTime, readEnglishTime } from './english-time.js';

const EXPECTED =
  'must be an ISO 8601 date and time such as `2026-11-21T05:26:01Z`, or English such as `in 10 minutes`, ' +
  '`tomorrow at 9am` or `Friday at 3pm EST`';

/** A text that may be a time. Whether it is one in English, `readScheduledAt` says. */
export const scheduledAt: Rule<string> = (value) =>
  typeof value === 'string' && (parseScheduledAt(value) !== undefined || maybeEnglishTime(value))
    ? undefined
    : EXPECTED;

/**
 * The instant that a text means, in the form of `parseScheduledAt`.
 *
 * @param now from which English is reckoned
 * @throws ApiError when it means none
 */
export async function readScheduledAt(text: string, now: Date): Promise<string> {
  const exact = parseScheduledAt(text);
  if (exact !== undefined) return exact;
  const instant = await readEnglishTime(text, now);
  if (instant === undefined || !isStorable(instant)) throw ApiError.invalid(`\`scheduled_at\` ${EXPECTED}.`);
  return `${new Date(instant).toISOString().slice(0, -1)}000Z`;
}

/** As `parseIsoTime`, and no instant before 1970. A date alone means its 9:00 in UTC. */
export function parseScheduledAt(text: string): string | undefined {
  const instant = parseIsoTime(DATE.test(text) ? `${text}T09:00` : text);
  return instant === undefined || instant < FIRST_TEXT ? undefined : instant;
}

function isStorable(instant: number): boolean {
  return instant >= FIRST && instant <= LAST;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST = Date.UTC(1970, 0);
const FIRST_TEXT = '1970-01-01';
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);
