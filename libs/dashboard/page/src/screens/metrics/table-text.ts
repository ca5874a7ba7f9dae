import { COUNTS, type Metrics } from './series';

/** The table for a spreadsheet: tab-separated columns with the API's names and periods. */
export function tableText({ data, totals }: Metrics): string {
  const rows = [...data, { period: 'total', ...totals }];
  const lines = rows.map((row) => [row.period, ...COUNTS.map((name) => row[name])].join('\t'));
  return [['period', ...COUNTS].join('\t'), ...lines].join('\n');
}
