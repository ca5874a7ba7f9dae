const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/i;
const AGO = /^(\d{1,5})(m|h|d)$/i;
const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };

/**
 * The instant of `2026-11-21` (midnight in the reader's zone), `2026-11-21T05:26Z`, `24h`, `7d`, `today` or
 * `yesterday`, for the API. Undefined for another text.
 *
 * @param now milliseconds since 1970
 */
export function readTime(text: string, now: number): string | undefined {
  const word = text.toLowerCase();
  const [, count, unit] = AGO.exec(word) ?? [];
  if (count !== undefined && unit !== undefined) return iso(floor(now) - Number(count) * (UNITS[unit] ?? 0));
  if (word === 'today') return iso(midnight(now, 0));
  if (word === 'yesterday') return iso(midnight(now, -1));
  if (DATE.test(text)) return iso(Date.parse(`${text}T00:00`));
  return TIME.test(text) ? iso(Date.parse(text)) : undefined;
}

/** The date after, or before: `2026-12-01` for `2026-11-30`. */
export function dayFrom(date: string, days: number): string {
  const day = new Date(`${date}T12:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** The date of a text like those above, in the reader's zone; empty for another text, and for a year that no date field has. */
export function dateOf(text: string | undefined, now: number): string {
  const time = text === undefined ? undefined : readTime(text, now);
  if (time === undefined) return '';
  const day = new Date(time);
  const year = day.getFullYear();
  if (year < 1 || year > 9_999) return '';
  const digits = (value: number, count = 2) => String(value).padStart(count, '0');
  return `${digits(year, 4)}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`;
}

function midnight(now: number, days: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day.getTime();
}

function floor(instant: number): number {
  return Math.floor(instant / MINUTE) * MINUTE;
}

function iso(instant: number): string | undefined {
  return Number.isNaN(new Date(instant).getTime()) ? undefined : new Date(instant).toISOString();
}
