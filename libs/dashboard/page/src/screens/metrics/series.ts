import type { EmailMetric } from 'nestjs-emails/facts';

/** The API's metrics of the screen. */
export const COUNTS = [
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'failed',
  'complained',
  'suppressed',
] as const satisfies readonly EmailMetric[];
export const RATES = ['delivery_rate', 'bounce_rate', 'complaint_rate'] as const satisfies readonly EmailMetric[];

export type Count = (typeof COUNTS)[number];
export type Rate = (typeof RATES)[number];
export type Counts = Record<Count, number>;

/** A period of `GET /emails/metrics`. */
export type PeriodRow = Counts & { period: string };

/** Totals of a domain of senders. */
export type DomainRow = Counts & Record<Rate, number> & { domain_name: string };

/** The answer of `GET /emails/metrics`, as far as the screen uses it. */
export interface Metrics {
  start_date: string;
  end_date: string;
  granularity: 'hourly' | 'daily' | 'weekly' | 'monthly';
  totals: Counts & Record<Rate, number>;
  data: PeriodRow[];
}

/**
 * The drawn series. Bars count recipients with a final state, each once: a delivered recipient was sent to as well, so
 * "sent" has only those whose delivery was not confirmed. A delay or a complaint belongs to a recipient that is, or will
 * be, in a bar: they are marks next to the bars, not pieces of them.
 */
export const SERIES = [
  { name: 'delivered', title: 'Delivered', sign: '✓', tone: 'green', drawn: 'bar' },
  { name: 'unconfirmed', title: 'Sent, delivery not known', sign: '→', tone: 'blue', drawn: 'bar' },
  { name: 'suppressed', title: 'Suppressed', sign: '⊘', tone: 'neutral', drawn: 'bar' },
  { name: 'failed', title: 'Failed', sign: '✕', tone: 'red hollow', drawn: 'bar' },
  { name: 'bounced', title: 'Bounced', sign: '✕', tone: 'red', drawn: 'bar' },
  { name: 'delayed', title: 'Delayed', tone: 'amber', drawn: 'mark' },
  { name: 'complained', title: 'Complained', tone: 'red', drawn: 'mark' },
] as const;

export type Series = (typeof SERIES)[number];
export type SeriesName = Series['name'];

/** Values of the series from counts of the API. */
export function valuesOf(counts: Counts): Record<SeriesName, number> {
  const { sent, delivered, suppressed, failed, bounced, delivery_delayed: delayed, complained } = counts;
  return { delivered, unconfirmed: Math.max(0, sent - delivered), suppressed, failed, bounced, delayed, complained };
}

/** True without any events. */
export function isNothing(counts: Counts): boolean {
  return COUNTS.every((name) => counts[name] === 0);
}

/** The series that the address does not hide. */
export function shownSeries(state: URLSearchParams): readonly Series[] {
  const hidden = hiddenNames(state);
  return SERIES.filter(({ name }) => !hidden.includes(name));
}

/** Parameters of the address bar once one of them is hidden, or shown again. */
export function hiddenAfter(state: URLSearchParams, toggled: SeriesName): string {
  const hidden = hiddenNames(state);
  return SERIES.map(({ name }) => name)
    .filter((name) => hidden.includes(name) !== (name === toggled))
    .join(',');
}

function hiddenNames(state: URLSearchParams): readonly string[] {
  return state.get('hide')?.split(',') ?? [];
}
