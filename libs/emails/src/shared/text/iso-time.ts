/**
 * Reads an ISO 8601 date and time: `2026-11-21T05:26:01.123Z`, `2026-11-21 05:26`, with `T` or a space between, seconds
 * and their fraction optional, the offset as `Z`, `+02:00`, `+0200`, `+02` or absent (then UTC). A space may precede
 * the offset, which may be `UTC` (Ruby's format).
 *
 * Returns the instant in UTC with six fractional digits, as in `2026-11-21T05:26:01.123000Z`: a form that PostgreSQL
 * reads as `timestamptz` and that sorts as text. (A `Date` would lose the microseconds.) Further digits are cut off.
 * Returns `undefined` for any other text, for a day that the calendar does not have, for an hour over 23 and a minute
 * or second over 59, and for an instant before the year 100 or after 9999.
 */
export function parseIsoTime(text: string): string | undefined {
  const match = text.length <= MAX_LENGTH ? DATE_TIME.exec(text) : null;
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const [, , , , , , , fraction = '', sign = '+', offsetHour = '0', offsetMinute = '0'] = match;
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // An impossible month or day rolls over into the next year or month.
  if (local.getUTCFullYear() !== year || local.getUTCDate() !== day) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60_000 : 60_000);
  const instant = local.getTime() - offset;
  if (instant < FIRST || instant > LAST) return undefined;
  return `${new Date(instant).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

const MAX_LENGTH = 64;
/** Below 100, `Date.UTC` assumes years of the last century. */
const FIRST = Date.UTC(100, 0);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?))?$/;
