import { toAsciiDomain } from '../../../shared/mailbox/domain.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import type { CountRow } from '../../storage/counts.repository.js';
import { type EmailMetric, type MetricValues, Tally } from './metrics.js';
import type { MetricsDimension, MetricsGranularity, MetricsRequest } from './metrics-query.js';

const MINUTE = 60_000;

/** What belongs to one value of each dimension that was asked for; of the others there is nothing in it. */
export interface MetricsRow extends MetricValues {
  /** `2026-07-01`, the first day of the period; of an hour `2026-07-01T13:00:00+02:00`. */
  period?: string;
  /** Null: the account has no such domain. */
  domain_id?: string | null;
  /** Of `from`, in A-labels. */
  domain_name?: string;
  email_id?: string;
  broadcast_id?: string;
  broadcast_name?: string;
}

/** The answer of `GET /emails/metrics` (contract, section 3.5). */
export interface MetricsRecord {
  object: 'metrics';
  /** Of what was counted: the quarter of an hour that `start_date` lies in. `2026-07-01T00:00:00.000Z` */
  start_date: string;
  end_date: string;
  metrics: readonly EmailMetric[];
  dimensions: readonly MetricsDimension[];
  granularity: MetricsGranularity;
  totals: MetricValues;
  /** Absent without dimensions. */
  data?: MetricsRow[];
}

export function toMetricsRecord(request: MetricsRequest, rows: readonly CountRow[], now: number): MetricsRecord {
  const { from, until, metrics, dimensions, granularity } = request;
  const totals = new Tally();
  for (const { counts } of rows) totals.add(counts);
  return {
    object: 'metrics',
    start_date: new Date(from).toISOString(),
    end_date: new Date(Math.min(until, now)).toISOString(),
    metrics,
    dimensions,
    granularity,
    totals: totals.values(metrics),
    ...(dimensions.length > 0 && { data: dataOf(request, rows) }),
  };
}

/** In the order of the rows, which is that of time. */
function dataOf({ dimensions, granularity, metrics }: MetricsRequest, rows: readonly CountRow[]): MetricsRow[] {
  // Nothing belongs to a broadcast.
  if (dimensions.includes('broadcast')) return [];
  const groups = new Map<string, { shown: MetricsRow; tally: Tally }>();
  for (const row of rows) {
    const shown: MetricsRow = {
      ...(row.period !== null && { period: periodOf(row.period, row.offset ?? 0, granularity) }),
      ...(row.domain !== null && { domain_id: null, domain_name: aLabels(row.domain) }),
      ...(row.emailId !== null && { email_id: row.emailId }),
    };
    const key = JSON.stringify(shown);
    const group = groups.get(key) ?? { shown, tally: new Tally() };
    groups.set(key, group);
    group.tally.add(row.counts);
  }
  return [...groups.values()].map(({ shown, tally }) => ({ ...shown, ...tally.values(metrics) }));
}

/** @param offset minutes from UTC */
function periodOf(start: number, offset: number, granularity: MetricsGranularity): string {
  const local = new Date(start + offset * MINUTE).toISOString();
  if (granularity !== 'hourly') return local.slice(0, 10);
  const minutes = Math.abs(offset);
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  return `${local.slice(0, 19)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** As delivery has it. */
function aLabels(domain: string): string {
  try {
    return toAsciiDomain(domain);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return domain;
    throw error;
  }
}
