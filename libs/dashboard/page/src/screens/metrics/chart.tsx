import { useMemo, useState } from 'react';
import { countOf, shortCountOf } from '../../parts/numbers';
import { layOut, MARGIN } from './chart-layout';
import { markShape } from './mark-shape';
import type { PeriodNames } from './periods';
import { Piece } from './piece';
import { type Metrics, type Series, valuesOf } from './series';
import { TEXTS } from './texts';
import { useWidth } from './use-width';

interface ChartProps {
  metrics: Metrics;
  series: readonly Series[];
  names: PeriodNames;
  /** Name of the picture. */
  label: string;
}

const HEIGHT = 280;

/** Stacked bars, and marks next to them. The bar under the pointer is described below; the table lists all of them. */
export function Chart({ metrics, series, names, label }: ChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<string>();
  const { data } = metrics;
  const { bars, marks, lines, columns, radius } = useMemo(
    () => layOut(data, series, width, HEIGHT),
    [data, series, width],
  );
  const row = data.find(({ period }) => period === pointed);
  return (
    <>
      <div ref={frame} className="metrics-chart" style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg role="img" aria-label={label} width={width} height={HEIGHT} onPointerLeave={() => setPointed(undefined)}>
            {lines.map(({ value, y }) => (
              <g key={value}>
                <line className="across" x1={MARGIN.left} x2={width - MARGIN.right} y1={y} y2={y} />
                <text x={MARGIN.left - 8} y={y} dy="0.32em" textAnchor="end">
                  {shortCountOf(value)}
                </text>
              </g>
            ))}
            {columns.map(({ period, x, width: step, middle, hasName }) => (
              <g key={period}>
                {hasName && (
                  <text x={middle} y={HEIGHT - 8} textAnchor="middle">
                    {names.short(period)}
                  </text>
                )}
                <rect
                  className={period === pointed ? 'column pointed' : 'column'}
                  x={x}
                  y={0}
                  width={step}
                  height={HEIGHT - MARGIN.bottom}
                  onPointerEnter={() => setPointed(period)}
                />
              </g>
            ))}
            {bars.map(({ name, tone, ...place }) => (
              <Piece key={`${name} ${place.x}`} name={name} tone={tone} place={place} />
            ))}
            {marks.map(({ name, tone, x, y }) => (
              <path key={`${name} ${x}`} className={`mark ${tone}`} d={markShape(name, x, y, radius)} />
            ))}
          </svg>
        )}
      </div>
      <p className="metrics-pointed soft">
        {row === undefined
          ? `${TEXTS.recipientsBy(metrics.granularity)}. ${TEXTS.chart.hint}`
          : `${names.full(row.period)}: ${describe(valuesOf(row), series)}`}
      </p>
    </>
  );
}

function describe(values: ReturnType<typeof valuesOf>, series: readonly Series[]): string {
  const parts = series
    .filter(({ name }) => values[name] > 0)
    .map(({ name, title }) => `${title.toLowerCase()} ${countOf(values[name])}`);
  return parts.length === 0 ? TEXTS.chart.nothing : parts.join(' · ');
}
