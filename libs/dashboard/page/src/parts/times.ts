const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distance from which a date is clearer than a number of days. Milliseconds. */
const FAR = 7 * DAY;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'narrow' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** A time of the API: `2026-11-21 05:26:01.123456+00`, or ISO 8601. Milliseconds since 1970. */
export function instantOf(time: string): number {
  return Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

/**
 * "5 min. ago", "in 2 hr.", "just now"; a date for a distant time. In the reader's language and zone. Rounded to the
 * nearest unit, so that a time set "in 3 days" is not "in 2 days" a second later.
 */
export function relativeTime(instant: number, now: number): string {
  const distance = instant - now;
  if (Math.abs(distance) >= FAR) return day.format(instant);
  if (Math.abs(distance) < MINUTE) return distance > 10_000 ? 'in a moment' : 'just now';
  const minutes = Math.round(distance / MINUTE);
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  const hours = Math.round(distance / HOUR);
  if (Math.abs(hours) < 24) return relative.format(hours, 'hour');
  return relative.format(Math.round(distance / DAY), 'day');
}

/** To the second, in the reader's zone, with its name. */
export function exactTime(instant: number): string {
  return exact.format(instant);
}

/** "03:12" for a time of the reader's present day, "25 Nov, 03:12" for another. */
export function clockTime(instant: number, now: number): string {
  const isToday = new Date(instant).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(instant);
}
