import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of the dashboard and the alert rules. */
export const OPERATING = fileURLToPath(new URL('../../../docs/operating/', import.meta.url));

export interface AlertRule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface Query {
  /** Title of the panel. */
  panel: string;
  expr: string;
  legend: string;
}

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}

export interface Dashboard {
  __inputs: { name: string; type: string; pluginId: string }[];
  templating: { list: { name: string; type: string; current?: { value: string } }[] };
  panels: Panel[];
}

const read = (file: string) => readFileSync(OPERATING + file, 'utf8');

export function alertRules(): AlertRule[] {
  return (parse(read('alerts.yml')) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules);
}

/** Expressions of the tests of the rules, and whether they expect a result. */
export function alertTests(): { expr: string; fires: boolean }[] {
  const { tests } = parse(read('alerts.test.yml')) as {
    tests: { promql_expr_test?: { expr: string; exp_samples: unknown[] }[] }[];
  };
  return tests.flatMap(({ promql_expr_test = [] }) =>
    promql_expr_test.map(({ expr, exp_samples }) => ({ expr, fires: exp_samples.length > 0 })),
  );
}

export const dashboard = (): Dashboard => JSON.parse(read('dashboard.json'));

/** All queries of the dashboard, with values in place of Grafana's variables. */
export function queries(): Query[] {
  return dashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      expr: expr.replaceAll(/\$__(?:rate_interval|range)/g, '5m').replaceAll('$job', 'nestjs-emails'),
      legend: legendFormat,
    })),
  );
}
