import { toAsciiDomain } from '../../../shared/mailbox/domain.js';
import { MailboxSyntaxError } from '../../../shared/mailbox/mailbox-syntax-error.js';
import type { CountRow } from '../../storage/read/counts.repository.js';
import type { EmailMetricsDto } from './email-metrics.dto.js';
import { type MetricsGranularity, Tally } from './metrics.js';
import type { MetricsRequest } from './metrics-request.js';
import type { MetricsRowDto } from './metrics-row.dto.js';

const MINUTE = 60_000;

/** The answer, from the counts. @param now milliseconds since 1970 */
export function toEmailMetrics(request: MetricsRequest, rows: readonly CountRow[], now: number): EmailMetricsDto {
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
function dataOf({ dimensions, granularity, metrics }: MetricsRequest, rows: readonly CountRow[]): MetricsRowDto[] {
  // No email belongs to a broadcast.
  if (dimensions.includes('broadcast')) return [];
  const groups = new Map<string, { shown: MetricsRowDto; tally: Tally }>();
  for (const row of rows) {
    const shown: MetricsRowDto = {
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

/** As in the table of emails. */
function aLabels(domain: string): string {
  try {
    return toAsciiDomain(domain);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return domain;
    throw error;
  }
}
