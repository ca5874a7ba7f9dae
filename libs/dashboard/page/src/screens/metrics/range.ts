/** Lengths of the API's periods. */
export type Granularity = 'hourly' | 'daily' | 'weekly' | 'monthly';

/** Ranges that end now. `periods` includes the current one. */
export const PRESETS = [
  { name: '24h', title: '24 hours', granularity: 'hourly', periods: 24 },
  { name: '7d', title: '7 days', granularity: 'daily', periods: 7 },
  { name: '30d', title: '30 days', granularity: 'daily', periods: 30 },
  { name: '90d', title: '90 days', granularity: 'daily', periods: 90 },
] as const;

const DEFAULT = PRESETS[1];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Limit of days in a custom range by granularity: more bars could not be distinguished. */
const MAX_DAYS = [
  ['hourly', 3],
  ['daily', 184],
  ['weekly', 1_100],
] as const;

/** Days of a range from which on, and up to which, a granularity can be chosen: 2 to 192 bars. */
const CHOICES = [
  ['hourly', 1, 8],
  ['daily', 2, 184],
  ['weekly', 14, 1_100],
  ['monthly', 60, 5_800],
] as const satisfies readonly (readonly [Granularity, number, number])[];

/** Time in the address bar. */
export interface Range {
  /** A preset, or `own` for a custom range. */
  name: (typeof PRESETS)[number]['name'] | 'own';
  granularity: Granularity;
  /** First and last day of a custom range, in the reader's zone: `2026-11-23`. */
  from?: string;
  to?: string;
}

/** An unreadable range is the default: 7 days. */
export function rangeOf(state: URLSearchParams): Range {
  const days = [state.get('from'), state.get('to')].filter(isDay).sort();
  const [from, to] = days;
  if (from !== undefined && to !== undefined) {
    return withChosen({ name: 'own', granularity: granularityOf(from, to), from, to }, state.get('by'));
  }
  const { name, granularity } = PRESETS.find(({ name }) => name === state.get('range')) ?? DEFAULT;
  return withChosen({ name, granularity }, state.get('by'));
}

/** Granularities that suit the range. */
export function granularitiesOf(range: Range): readonly Granularity[] {
  const days = lengthOf(range);
  return CHOICES.filter(([, least, most]) => days >= least && days <= most).map(([name]) => name);
}

/** The range with the chosen granularity, if that suits it. */
function withChosen(range: Range, chosen: string | null): Range {
  return { ...range, granularity: granularitiesOf(range).find((name) => name === chosen) ?? range.granularity };
}

/** The time of the same length that ended a range's length ago, up to the same time of the day as now. */
export function boundsBefore(range: Range, now: Date): { start: Date; end: Date } {
  const { start, end = now } = boundsOf(range, now);
  const days = lengthOf(range);
  return { start: daysEarlier(start, days), end: daysEarlier(end, days) };
}

/** Length of a range. Days. */
export function lengthOf({ name, from, to }: Range): number {
  if (from !== undefined && to !== undefined) return daysBetween(from, to);
  const { granularity, periods } = PRESETS.find((preset) => preset.name === name) ?? DEFAULT;
  return granularity === 'hourly' ? periods / 24 : periods;
}

/** Parameters of a range in the address bar. The default has none. */
export function rangeInAddress(chosen: string, from?: string, to?: string): Record<string, string | null> {
  if (chosen === 'own') return { range: null, from: from ?? null, to: to ?? null, by: null };
  return { range: chosen === DEFAULT.name ? null : chosen, from: null, to: null, by: null };
}

/** Start and exclusive end of the range in whole hours or days of the reader; without an end it is now. */
export function boundsOf({ name, from, to }: Range, now: Date): { start: Date; end?: Date } {
  if (from !== undefined && to !== undefined) return { start: dayBegin(from), end: dayBegin(to, 1) };
  const { granularity, periods } = PRESETS.find((preset) => preset.name === name) ?? DEFAULT;
  const start = new Date(now);
  if (granularity === 'hourly') {
    start.setMinutes(0, 0, 0);
    return { start: new Date(start.getTime() - (periods - 1) * HOUR) };
  }
  return { start: new Date(now.getFullYear(), now.getMonth(), now.getDate() - (periods - 1)) };
}

/** The days of a range, as the start of a custom one. */
export function daysOf(range: Range, now: Date): { from: string; to: string } {
  const { start, end } = boundsOf(range, now);
  return { from: dayOf(start), to: dayOf(end === undefined ? now : new Date(end.getTime() - 1)) };
}

function granularityOf(from: string, to: string): Granularity {
  const days = daysBetween(from, to);
  return MAX_DAYS.find(([, maximum]) => days <= maximum)?.[0] ?? 'monthly';
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
}

/** At the same time of the reader's day. */
function daysEarlier(instant: Date, days: number): Date {
  const earlier = new Date(instant);
  earlier.setDate(earlier.getDate() - days);
  return earlier;
}

function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Midnight of the reader, or the first moment of a day without midnight. */
function dayBegin(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

function dayOf(instant: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${instant.getFullYear()}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}
