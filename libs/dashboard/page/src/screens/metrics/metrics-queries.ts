import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryOf } from '../../api/client';
import { boundsBefore, boundsOf, type Range } from './range';
import { COUNTS, type Counts, type DomainRow, type Metrics, RATES } from './series';

/** Age at which the numbers are refreshed while the page is visible. Milliseconds. */
const FRESH = 60_000;

const METRICS = [...COUNTS, ...RATES].join(',');
const shared = { refetchInterval: FRESH, placeholderData: keepPreviousData };

/** Numbers of each period. */
export const periodsQuery = (range: Range, timezone: string) =>
  queryOptions({
    ...shared,
    queryKey: ['metrics', range, timezone],
    queryFn: ({ signal }) =>
      read<Metrics>(
        boundsOf(range, new Date()),
        { timezone, granularity: range.granularity, dimensions: 'period', metrics: METRICS },
        signal,
      ),
  });

/** Totals of the period before. They change only slowly, and cost one request. */
export const beforeQuery = (range: Range) =>
  queryOptions({
    ...shared,
    queryKey: ['metrics', range, 'before'],
    queryFn: async ({ signal }) =>
      (await read<{ totals: Counts }>(boundsBefore(range, new Date()), { metrics: COUNTS.join(',') }, signal)).totals,
  });

/** Totals of each domain of senders, those with the most recipients first. */
export const domainsQuery = (range: Range) =>
  queryOptions({
    ...shared,
    queryKey: ['metrics', range, 'domains'],
    queryFn: async ({ signal }) => {
      const asked = { dimensions: 'domain', metrics: METRICS };
      const { data } = await read<{ data: DomainRow[] }>(boundsOf(range, new Date()), asked, signal);
      return data.sort((a, b) => recipientsOf(b) - recipientsOf(a));
    },
  });

function recipientsOf({ sent, failed, suppressed, bounced }: Counts): number {
  return Math.max(sent, bounced) + failed + suppressed;
}

function read<Answer>(
  { start, end }: { start: Date; end?: Date },
  asked: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const query = queryOf({ start_date: start.toISOString(), end_date: end?.toISOString(), ...asked });
  return api<Answer>('GET', `emails/metrics${query}`, { signal });
}
