import { CopyButton } from '../../parts/copyable';
import { countOf } from '../../parts/numbers';
import type { PeriodNames } from './periods';
import { COUNTS, type Counts, type Metrics } from './series';
import { tableText } from './table-text';
import { TEXTS } from './texts';

interface NumbersTableProps {
  metrics: Metrics;
  names: PeriodNames;
  label: string;
}

/** The same numbers as a table, with the API's counts: a delivered recipient counts as sent as well. */
export function NumbersTable({ metrics, names, label }: NumbersTableProps) {
  return (
    <>
      <div className="bar">
        <CopyButton value={tableText(metrics)} what={TEXTS.table.what} />
        <span className="soft">{TEXTS.table.hint}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section className="metrics-table" tabIndex={0} aria-label={label}>
        <table>
          <caption className="only-read">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{TEXTS.table.period}</th>
              {COUNTS.map((name) => (
                <th key={name} scope="col" className="number">
                  {TEXTS.counts[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {metrics.data.map((row) => (
              <tr key={row.period}>
                <th scope="row">{names.full(row.period)}</th>
                <Cells counts={row} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{TEXTS.table.total}</th>
              <Cells counts={metrics.totals} />
            </tr>
          </tfoot>
        </table>
      </section>
    </>
  );
}

function Cells({ counts }: { counts: Counts }) {
  return COUNTS.map((name) => (
    <td key={name} className={counts[name] === 0 ? 'number soft' : 'number'}>
      {countOf(counts[name])}
    </td>
  ));
}
