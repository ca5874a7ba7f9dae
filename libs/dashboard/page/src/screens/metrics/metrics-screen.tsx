import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sessionQuery } from '../../api/session';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useUrlState } from '../../hooks/use-url-state';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Chart } from './chart';
import { DomainsTable } from './domains-table';
import { Figures } from './figures';
import { Legend } from './legend';
import { beforeQuery, domainsQuery, periodsQuery } from './metrics-queries';
import { MetricsSkeleton } from './metrics-skeleton';
import { NumbersTable } from './numbers-table';
import { type PeriodNames, periodNames, readersZone } from './periods';
import { boundsOf, lengthOf, rangeInAddress, rangeOf } from './range';
import { RangeChoice } from './range-choice';
import { RatesView } from './rates/rates-view';
import { hiddenAfter, isNothing, type Metrics, shownSeries } from './series';
import { TEXTS } from './texts';
import './metrics.css';

/** Outcomes of emails in numbers, compared with the period before. */
export default function MetricsScreen() {
  const [state, change] = useUrlState();
  const range = useMemo(() => rangeOf(state), [state]);
  const zone = readersZone();
  const periods = useQuery(periodsQuery(range, zone));
  const before = useQuery(beforeQuery(range));
  const domains = useQuery(domainsQuery(range));
  // All of them at once, so that none moves another.
  const isPending = [periods, before, domains].some((query) => query.isPending);
  const bounds = boundsOf(range, new Date());
  const isTable = state.get('as') === 'table';
  const toggleTable = () => change({ as: isTable ? null : 'table' });
  useShortcuts({ t: toggleTable });

  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <RangeChoice
          range={range}
          onChoose={(name, from, to) => change(rangeInAddress(name, from, to))}
          onGranularity={(by) => change({ by })}
        />
        <button type="button" className="end" aria-pressed={isTable} aria-keyshortcuts="t" onClick={toggleTable}>
          {TEXTS.asTable} <kbd>t</kbd>
        </button>
      </ScreenHead>
      <div className="metrics">
        <div className="stack">
          {periods.error && (
            <Problem
              what={TEXTS.notRead}
              error={periods.error}
              meaning={TEXTS.notAffected}
              onRetry={() => void periods.refetch()}
            />
          )}
          {isPending && !periods.error && <MetricsSkeleton />}
          {!isPending && periods.data && (
            <>
              <Figures totals={periods.data.totals} before={before.data} bounds={bounds} />
              <p className="soft">{TEXTS.before.compared(lengthOf(range))}</p>
              <Periods metrics={periods.data} zone={zone} />
              {!isNothing(periods.data.totals) && <RatesView metrics={periods.data} />}
              {domains.data && domains.data.length > 0 && <DomainsTable domains={domains.data} bounds={bounds} />}
              {isNothing(periods.data.totals) && <NothingYet />}
              <p className="soft metrics-explanation">{TEXTS.explanation(zone)}</p>
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** The numbers of each period, as a chart or as a table. */
function Periods({ metrics, zone }: { metrics: Metrics; zone: string }) {
  const [state, change] = useUrlState();
  const series = useMemo(() => shownSeries(state), [state]);
  const { granularity } = metrics;
  const names = useMemo(() => periodNames(granularity, zone), [granularity, zone]);
  const label = labelOf(metrics, names);
  if (state.get('as') === 'table') return <NumbersTable metrics={metrics} names={names} label={label} />;
  return (
    <>
      <Legend totals={metrics.totals} shown={series} onToggle={(name) => change({ hide: hiddenAfter(state, name) })} />
      <Chart metrics={metrics} series={series} names={names} label={`${label}. ${TEXTS.chart.sameNumbers}`} />
    </>
  );
}

/** "Recipients by day, Tue 17 Nov 2026 to Mon 23 Nov 2026" */
function labelOf({ data, granularity }: Metrics, names: PeriodNames): string {
  const [first, last] = [data.at(0), data.at(-1)];
  const recipients = TEXTS.recipientsBy(granularity);
  if (!first || !last) return recipients;
  return `${recipients}, ${names.full(first.period)} ${TEXTS.to} ${names.full(last.period)}`;
}

function NothingYet() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      title={TEXTS.empty.title}
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'emails', {
        from: 'You <you@example.com>',
        to: 'delivered@example.com',
        subject: 'Hello',
        text: 'It works.',
      })}
    >
      <p>{TEXTS.empty.text}</p>
    </Empty>
  );
}
