const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Distance from which a date is clearer than a number of days. Milliseconds. */
const FAR = 7 * 86_400_000;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'narrow' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A time of the API: `2026-11-21 05:26:01.123456+00`, or ISO 8601. Milliseconds since 1970. */
export function instantOf(time: string): number {
  return Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

/** "5 min. ago", "in 2 hr.", "just now"; a date for a distant time. In the reader's language and zone. */
export function relativeTime(instant: number, now: number): string {
  const distance = instant - now;
  if (Math.abs(distance) >= FAR) return day.format(instant);
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) return relative.format(Math.trunc(distance / size), unit);
  }
  return distance > 10_000 ? 'in a moment' : 'just now';
}

/** To the second, in the reader's zone, with its name. */
export function exactTime(instant: number): string {
  return exact.format(instant);
}
