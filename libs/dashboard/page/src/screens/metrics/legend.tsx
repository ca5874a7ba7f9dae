import { type Counts, SERIES, type Series, type SeriesName, valuesOf } from './series';

interface LegendProps {
  totals: Counts;
  shown: readonly Series[];
  onToggle: (name: SeriesName) => void;
}

const count = new Intl.NumberFormat();

/** What the chart's pieces and marks are; each can be hidden and shown again. */
export function Legend({ totals, shown, onToggle }: LegendProps) {
  const values = valuesOf(totals);
  return (
    <ul className="metrics-legend" aria-label="Shown in the chart">
      {SERIES.map((series) => (
        <li key={series.name}>
          <button
            type="button"
            className="quiet"
            aria-pressed={shown.includes(series)}
            onClick={() => onToggle(series.name)}
          >
            <span aria-hidden="true" className={`swatch ${series.drawn} ${series.tone} ${series.name}`}>
              {series.sign}
            </span>
            {series.title} <span className="soft">{count.format(values[series.name])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
