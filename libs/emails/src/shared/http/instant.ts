/** An unencoded plus arrives as a blank. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(?:(Z)| ?([ +-])(\d\d):?(\d\d))?)?$/i;
const LAST = Date.UTC(9999, 11, 31);

/**
 * The instant of a URL parameter that holds an ISO 8601 date (`2026-07-01`, its midnight) or date and time
 * (`2026-07-01T00:00:00Z`), in UTC unless it has an offset. Milliseconds since 1970; undefined for an invalid one.
 */
export function readInstant(text: string): number | undefined {
  const match = text.length <= 64 ? DATE_TIME.exec(text) : null;
  if (match === null) return undefined;
  const [, date = '', time = '00:00', seconds = ':00', , sign = '+', hours = '00', minutes = '00'] = match;
  const midnight = new Date(`${date}T00:00:00Z`);
  // An impossible day rolls over into the next month.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined;
  const instant = Date.parse(`${date}T${time}${seconds}${sign === '-' ? '-' : '+'}${hours}:${minutes}`);
  return instant >= 0 && instant <= LAST ? instant : undefined;
}
