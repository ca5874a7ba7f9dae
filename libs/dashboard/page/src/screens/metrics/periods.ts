import type { Granularity } from './range';

const FORMATS = {
  hourly: [
    { hour: '2-digit', minute: '2-digit' },
    { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  ],
  daily: [
    { day: 'numeric', month: 'short' },
    { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  ],
  weekly: [
    { day: 'numeric', month: 'short' },
    { day: 'numeric', month: 'short', year: 'numeric' },
  ],
  monthly: [
    { month: 'short', year: '2-digit' },
    { month: 'long', year: 'numeric' },
  ],
} as const satisfies Record<Granularity, readonly [Intl.DateTimeFormatOptions, Intl.DateTimeFormatOptions]>;

/** Names of periods: short below a bar, in full elsewhere. */
export interface PeriodNames {
  short: (period: string) => string;
  full: (period: string) => string;
}

/**
 * In the reader's language. A day keeps the API's date, in the zone in which it was counted.
 *
 * @param timeZone of hours
 */
export function periodNames(granularity: Granularity, timeZone: string, locale?: string): PeriodNames {
  const zone = granularity === 'hourly' ? timeZone : 'UTC';
  const [short, full] = FORMATS[granularity].map(
    (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }),
  ) as [Intl.DateTimeFormat, Intl.DateTimeFormat];
  return {
    short: (period) => short.format(Date.parse(period)),
    full: (period) =>
      granularity === 'weekly' ? `Week of ${full.format(Date.parse(period))}` : full.format(Date.parse(period)),
  };
}

/** The reader's own zone, by its IANA name. */
export function readersZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
