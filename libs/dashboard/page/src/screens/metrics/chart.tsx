import { useMemo, useState } from 'react';
import { type Bar, layOut, MARGIN, type Mark } from './chart-layout';
import { BY, type PeriodNames } from './periods';
import { type Metrics, type Series, valuesOf } from './series';
import { useWidth } from './use-width';

interface ChartProps {
  metrics: Metrics;
  series: readonly Series[];
  names: PeriodNames;
  /** What the picture is called. */
  label: string;
}

const HEIGHT = 280;
const count = new Intl.NumberFormat();
const shortCount = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Stacked bars, and marks beside them. The bar that is pointed at is told below; the table tells all of them. */
export function Chart({ metrics, series, names, label }: ChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<string>();
  const { data } = metrics;
  const { bars, marks, lines, columns } = useMemo(() => layOut(data, series, width, HEIGHT), [data, series, width]);
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
                  {shortCount.format(value)}
                </text>
              </g>
            ))}
            {columns.map(({ period, x, width: step, hasName }) => (
              <g key={period}>
                {hasName && (
                  <text x={x + step * 0.4} y={HEIGHT - 8} textAnchor="middle">
                    {names.short(period)}
                  </text>
                )}
                <rect
                  className={period === pointed ? 'column pointed' : 'column'}
                  x={x - step * 0.1}
                  y={0}
                  width={step}
                  height={HEIGHT - MARGIN.bottom}
                  onPointerEnter={() => setPointed(period)}
                />
              </g>
            ))}
            {bars.map((bar) => (
              <rect key={`${bar.name} ${bar.x}`} className={`piece ${bar.tone} ${bar.name}`} {...inside(bar)} />
            ))}
            {marks.map((mark) => (
              <path key={`${mark.name} ${mark.x}`} className={`mark ${mark.tone}`} d={shapeOf(mark)} />
            ))}
          </svg>
        )}
      </div>
      <p className="metrics-pointed soft">
        {row === undefined
          ? `Recipients ${BY[metrics.granularity]}. Point at a bar for its numbers.`
          : `${names.full(row.period)}: ${told(valuesOf(row), series)}`}
      </p>
    </>
  );
}

function told(values: ReturnType<typeof valuesOf>, series: readonly Series[]): string {
  const parts = series
    .filter(({ name }) => values[name] > 0)
    .map(({ name, title }) => `${title.toLowerCase()} ${count.format(values[name])}`);
  return parts.length === 0 ? 'nothing' : parts.join(' · ');
}

/** Half the line around a hollow piece lies outside of it: it is drawn that much smaller. */
function inside({ x, y, width, height }: Bar) {
  return { x: x + 0.5, y: y + 0.5, width: Math.max(width - 1, 0.5), height: Math.max(height - 1, 0.5) };
}

/** A circle for delays, a diamond for complaints. */
function shapeOf({ name, x, y }: Mark): string {
  return name === 'delayed'
    ? `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z`
    : `M${x},${y - 5}L${x + 5},${y}L${x},${y + 5}L${x - 5},${y}Z`;
}
