/** The metrics of the API that the screen asks for. */
export const COUNTS = [
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'failed',
  'complained',
  'suppressed',
] as const;
export const RATES = ['delivery_rate', 'bounce_rate', 'complaint_rate'] as const;

export type Count = (typeof COUNTS)[number];
export type Rate = (typeof RATES)[number];
export type Counts = Record<Count, number>;

/** A period of `GET /emails/metrics`. */
export type PeriodRow = Counts & { period: string };

/** The answer of `GET /emails/metrics`, as far as the screen asks for it. */
export interface Metrics {
  start_date: string;
  end_date: string;
  granularity: 'hourly' | 'daily' | 'weekly' | 'monthly';
  totals: Counts & Record<Rate, number>;
  data: PeriodRow[];
}

/**
 * What is drawn. Bars are of recipients who came to an end, each once: whoever was delivered to was sent to as well, so
 * that of the sent only those have a piece whose delivery nobody confirmed. A delay or a complaint is of a recipient who
 * is, or will be, in a bar: they are marks beside the bars, not pieces of them.
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

/** How many of each series there are in counts of the API. */
export function valuesOf(counts: Counts): Record<SeriesName, number> {
  const { sent, delivered, suppressed, failed, bounced, delivery_delayed: delayed, complained } = counts;
  return { delivered, unconfirmed: Math.max(0, sent - delivered), suppressed, failed, bounced, delayed, complained };
}

/** True when nothing at all happened. */
export function isNothing(counts: Counts): boolean {
  return COUNTS.every((name) => counts[name] === 0);
}

/** Those that the address bar does not hide. */
export function shownSeries(state: URLSearchParams): readonly Series[] {
  const hidden = hiddenNames(state);
  return SERIES.filter(({ name }) => !hidden.includes(name));
}

/** What the address bar says once one of them is hidden, or shown again. */
export function hiddenAfter(state: URLSearchParams, toggled: SeriesName): string {
  const hidden = hiddenNames(state);
  return SERIES.map(({ name }) => name)
    .filter((name) => hidden.includes(name) !== (name === toggled))
    .join(',');
}

function hiddenNames(state: URLSearchParams): readonly string[] {
  return state.get('hide')?.split(',') ?? [];
}
