import { countOf } from '../../parts/numbers';
import { markShape } from './mark-shape';
import { Piece } from './piece';
import { type Counts, SERIES, type Series, type SeriesName, valuesOf } from './series';
import { TEXTS } from './texts';

interface LegendProps {
  totals: Counts;
  shown: readonly Series[];
  onToggle: (name: SeriesName) => void;
}

/** Meaning of the chart's pieces and marks; each can be hidden and shown again. */
export function Legend({ totals, shown, onToggle }: LegendProps) {
  const values = valuesOf(totals);
  return (
    <ul className="metrics-legend" aria-label={TEXTS.chart.shown}>
      {SERIES.map((series) => (
        <li key={series.name}>
          <button
            type="button"
            className="quiet"
            aria-pressed={shown.includes(series)}
            onClick={() => onToggle(series.name)}
          >
            <Swatch series={series} />
            {series.title} <span className="soft">{countOf(values[series.name])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Its look in the chart; for a piece also the symbol of its state. */
function Swatch({ series }: { series: Series }) {
  const { name, tone } = series;
  return (
    <>
      <svg aria-hidden="true" width={18} height={14}>
        {series.drawn === 'bar' ? (
          <Piece name={name} tone={tone} place={{ x: 0, y: 0, width: 18, height: 14 }} />
        ) : (
          <path className={`mark ${tone}`} d={markShape(name, 9, 7, 5)} />
        )}
      </svg>
      {series.drawn === 'bar' && (
        <span aria-hidden="true" className={`sign ${tone}`}>
          {series.sign}
        </span>
      )}
    </>
  );
}
