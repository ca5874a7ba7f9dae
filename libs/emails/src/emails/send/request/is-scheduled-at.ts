import { ApiError } from '../../../shared/errors/api-error.js';
import { parseIsoTime } from '../../../shared/text/iso-time.js';
import { type Rule, ruleDecorator } from '../../../shared/validation/rule.js';
import { maybeEnglishTime, readEnglishTime } from './english-time.js';

const EXPECTED =
  'must be an ISO 8601 date and time such as `2026-11-21T05:26:01Z`, or English such as `in 10 minutes`, ' +
  '`tomorrow at 9am` or `Friday at 3pm EST`';

const scheduledAt: Rule = (value) =>
  typeof value === 'string' && (parseScheduledAt(value) !== undefined || maybeEnglishTime(value))
    ? undefined
    : EXPECTED;

/** A text that may be a time. `readScheduledAt` decides about English. */
export const IsScheduledAt = () => ruleDecorator('isScheduledAt', scheduledAt, { type: 'string' });

/**
 * The instant that a text means, in the form of `parseScheduledAt`.
 *
 * @param now reference time for English
 * @throws ApiError for a text that is not a time
 */
export async function readScheduledAt(text: string, now: Date): Promise<string> {
  const exact = parseScheduledAt(text);
  if (exact !== undefined) return exact;
  const instant = await readEnglishTime(text, now);
  if (instant === undefined || !isStorable(instant)) throw ApiError.invalid(`\`scheduled_at\` ${EXPECTED}.`);
  return `${new Date(instant).toISOString().slice(0, -1)}000Z`;
}

/** Like `parseIsoTime`, without instants before 1970. A date alone means its 9:00 in UTC. */
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
