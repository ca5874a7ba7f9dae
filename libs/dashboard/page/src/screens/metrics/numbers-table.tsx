import { CopyButton } from '../../parts/copyable';
import type { PeriodNames } from './periods';
import { COUNTS, type Count, type Counts, type Metrics } from './series';
import { tableText } from './table-text';

interface NumbersTableProps {
  metrics: Metrics;
  names: PeriodNames;
  label: string;
}

const TITLES: Readonly<Record<Count, string>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  delivery_delayed: 'Delayed',
  bounced: 'Bounced',
  failed: 'Failed',
  complained: 'Complained',
  suppressed: 'Suppressed',
};

const count = new Intl.NumberFormat();

/** The same numbers as a table, with the API's counts: a delivered recipient counts as sent as well. */
export function NumbersTable({ metrics, names, label }: NumbersTableProps) {
  return (
    <>
      <div className="bar">
        <CopyButton value={tableText(metrics)} what="the table" />
        <span className="soft">with tabs between the columns, for a spreadsheet</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section className="metrics-table" tabIndex={0} aria-label={label}>
        <table>
          <caption className="only-read">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Period</th>
              {COUNTS.map((name) => (
                <th key={name} scope="col" className="number">
                  {TITLES[name]}
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
              <th scope="row">Total</th>
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
      {count.format(counts[name])}
    </td>
  ));
}
