import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Card } from '../../../parts/card';
import type { Metrics } from '../series';
import { TEXTS } from '../texts';
import { useWidth } from '../use-width';
import { layOutRate, MARGIN } from './rate-layout';
import { ENOUGH, type RateOfRange, ratesOf, reachedLimit } from './rates';

const texts = TEXTS.rates;
const HEIGHT = 120;

/** Bounces and complaints as mail providers look at them, with their limits. */
export function RatesView({ metrics }: { metrics: Metrics }) {
  return (
    <div className="metrics-rates">
      {ratesOf(metrics).map((rate) => (
        <Card key={rate.name} title={texts.titles[rate.name]}>
          <Verdict rate={rate} />
          <RateChart rate={rate} />
          <p className="soft">{texts.meanings[rate.name]}</p>
        </Card>
      ))}
    </div>
  );
}

function Verdict({ rate: { name, total, isEnough } }: { rate: RateOfRange }) {
  if (total === undefined) return <p className="soft">{texts.nothing}</p>;
  const reached = reachedLimit(name, total);
  const Sign = reached === undefined ? CircleCheck : TriangleAlert;
  return (
    <p className="metrics-verdict">
      <strong>{texts.percent(total)}</strong>{' '}
      {isEnough ? (
        <span className={reached === undefined ? 'good' : 'bad'}>
          <Sign className="icon" size={14} aria-hidden="true" />{' '}
          {reached === undefined ? texts.below(name) : texts.above(reached)}
        </span>
      ) : (
        <span className="soft">{texts.tooFew(ENOUGH)}</span>
      )}
    </p>
  );
}

function RateChart({ rate }: { rate: RateOfRange }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const { limits, ground, path, points } = layOutRate(rate, width, HEIGHT);
  const right = width - MARGIN.right;
  return (
    <div ref={frame} className="metrics-rate" style={{ height: HEIGHT }}>
      {width > 0 && (
        <svg role="img" aria-label={texts.chart(rate.name)} width={width} height={HEIGHT}>
          <line className="across" x1={MARGIN.left} x2={right} y1={ground} y2={ground} />
          {limits.map(({ limit, y }) => (
            <g key={limit}>
              <line className="limit" x1={MARGIN.left} x2={right} y1={y} y2={y} />
              <text x={MARGIN.left - 8} y={y} dy="0.32em" textAnchor="end">
                {texts.percent(limit)}
              </text>
            </g>
          ))}
          <path className="line" d={path} />
          {points.map(({ period, x, y }) => (
            <circle key={period} cx={x} cy={y} r={2} />
          ))}
        </svg>
      )}
    </div>
  );
}
