import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, queryOf } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useUrlState } from '../../hooks/use-url-state';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Chart } from './chart';
import { Figures } from './figures';
import { Legend } from './legend';
import { NumbersTable } from './numbers-table';
import { BY, type PeriodNames, periodNames, readersZone } from './periods';
import { boundsOf, type Range, rangeInAddress, rangeOf } from './range';
import { RangeChoice } from './range-choice';
import { COUNTS, hiddenAfter, isNothing, type Metrics, RATES, shownSeries } from './series';
import './metrics.css';

/** Age at which the numbers are refreshed while the page is visible. Milliseconds. */
const FRESH = 60_000;

/** Outcomes of emails, by hour or by day. */
export default function MetricsScreen() {
  const [state, change] = useUrlState();
  const range = rangeOf(state);
  const series = useMemo(() => shownSeries(state), [state]);
  const zone = readersZone();
  const {
    data: metrics,
    error,
    refetch,
  } = useQuery({
    queryKey: ['metrics', range, zone],
    queryFn: ({ signal }) => read(range, zone, signal),
    refetchInterval: FRESH,
    placeholderData: keepPreviousData,
  });
  const names = useMemo(() => periodNames(metrics?.granularity ?? 'daily', zone), [metrics?.granularity, zone]);
  const isTable = state.get('as') === 'table';
  const toggleTable = () => change({ as: isTable ? null : 'table' });
  useShortcuts({ t: toggleTable });

  return (
    <>
      <ScreenHead title="Metrics">
        <RangeChoice range={range} onChoose={(name, from, to) => change(rangeInAddress(name, from, to))} />
        <button type="button" className="end" aria-pressed={isTable} aria-keyshortcuts="t" onClick={toggleTable}>
          Table <kbd>t</kbd>
        </button>
      </ScreenHead>
      <div className="metrics">
        <div className="stack">
          {error && (
            <Problem
              what="The numbers could not be read"
              error={error}
              meaning="Your emails are not affected."
              onRetry={() => void refetch()}
            />
          )}
          <Figures totals={metrics?.totals} />
          {metrics === undefined ? (
            <div className="metrics-place" />
          ) : (
            <>
              {isTable ? (
                <NumbersTable metrics={metrics} names={names} label={labelOf(metrics, names)} />
              ) : (
                <>
                  <Legend
                    totals={metrics.totals}
                    shown={series}
                    onToggle={(name) => change({ hide: hiddenAfter(state, name) })}
                  />
                  <Chart
                    metrics={metrics}
                    series={series}
                    names={names}
                    label={`${labelOf(metrics, names)}. The table has the same numbers.`}
                  />
                </>
              )}
              {isNothing(metrics.totals) && <NothingYet />}
              <Explanation zone={zone} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

async function read(range: Range, timezone: string, signal: AbortSignal): Promise<Metrics> {
  const { start, end } = boundsOf(range, new Date());
  const query = queryOf({
    start_date: start.toISOString(),
    end_date: end?.toISOString(),
    timezone,
    granularity: range.granularity,
    dimensions: 'period',
    metrics: [...COUNTS, ...RATES].join(','),
  });
  return api<Metrics>('GET', `emails/metrics${query}`, { signal });
}

/** "Recipients by day, Tue 17 Nov 2026 to Mon 23 Nov 2026" */
function labelOf({ data, granularity }: Metrics, names: PeriodNames): string {
  const [first, last] = [data.at(0), data.at(-1)];
  if (!first || !last) return `Recipients ${BY[granularity]}`;
  return `Recipients ${BY[granularity]}, ${names.full(first.period)} to ${names.full(last.period)}`;
}

function NothingYet() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      title="No events in this time"
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'emails', {
        from: 'You <you@example.com>',
        to: 'delivered@example.com',
        subject: 'Hello',
        text: 'It works.',
      })}
    >
      <p>Choose a longer time above, or send an email:</p>
    </Empty>
  );
}

function Explanation({ zone }: { zone: string }) {
  return (
    <p className="soft metrics-explanation">
      Counts are recipients, not emails, at the time of each event, in the zone {zone}. A bar counts each recipient
      once: delivered ones were also sent to, so the piece of sent ones has only those without a confirmed delivery.
      Delayed recipients are tried again, and complaining ones were delivered to: both are marks next to the bars, not
      pieces of them. Rates compare events of the same time, and may be above 100 %.
    </p>
  );
}
