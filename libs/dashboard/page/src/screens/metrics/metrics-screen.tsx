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

/** How old the numbers become before they are asked for again, while the page is looked at. Milliseconds. */
const FRESH = 60_000;

/** What became of emails, by hour or by day. */
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
              meaning="Your emails go on as before."
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
    dimensions: 'period',
    metrics: [...COUNTS, ...RATES].join(','),
    granularity: range.granularity,
    timezone,
    start_date: start.toISOString(),
    end_date: end?.toISOString(),
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
      title="Nothing happened in this time"
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
      Counted are recipients, not emails, at the time of what happened to them, in the zone {zone}. A bar has each
      recipient once: the delivered are among the sent, so only those sent of whom nobody confirmed the delivery have a
      piece of their own. A recipient who is delayed is tried again, and one who complains was delivered to: both are
      marks beside the bars, not pieces of them. Rates compare what happened in the same time, and may be above 100 %.
    </p>
  );
}
