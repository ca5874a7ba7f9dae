import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilSettled } from '../support/reading/deliveries.js';
import { alertRules, alertTests, dashboard, queries } from '../support/reading/operating-files.js';
import { type Exposed, readExpression, readMetrics } from '../support/reading/promql.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import type { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';
/** Prometheus makes these itself. */
const OF_PROMETHEUS = { metrics: ['up', 'ALERTS'], labels: ['job', 'instance'] };

let postgres: TcpProxy;
let host: RunningHost;
let exposed: Exposed;

async function metrics(): Promise<string> {
  const { status, text } = await host.request('GET', '/metrics', { token: ADMIN_TOKEN });
  expect(status).toBe(200);
  return text;
}

/** A host with values for all labels: mail leaves by the second server, since the first is down, at the second attempt. */
beforeAll(async () => {
  const sink = await SmtpSink.start();
  sink.onMessage = (_, count) => (count === 1 ? '451 4.3.0 Not now' : undefined);
  postgres = await startPostgresProxy();
  host = await startHost({
    smtp: `smtp://127.0.0.1:1,${sink.url}`,
    postgresProxy: postgres,
    env: { ADMIN_TOKEN, SMTP_HOP: 'final' },
  });
  await untilSettled(host, [await post(host, 'to@to.test')]);
  exposed = await eventually(async () => {
    const shown = readMetrics(await metrics());
    expect(shown.get('emails_transport_down')).toHaveProperty('transport');
    return shown;
  });
});

/** Names of an expression, and of the text that goes with it, that the host's metrics do not have. */
function unknownNames(expr: string, shown: readonly string[]): string[] {
  const { selectors, grouped } = readExpression(expr);
  const unknown: string[] = [];
  const known = new Set<string>(OF_PROMETHEUS.labels);
  for (const { metric, matched } of selectors) {
    const labels = OF_PROMETHEUS.metrics.includes(metric) ? {} : exposed.get(metric);
    if (!labels) unknown.push(metric);
    for (const label of Object.keys(labels ?? {})) known.add(label);
    for (const [label, values] of Object.entries(matched)) {
      if (OF_PROMETHEUS.labels.includes(label)) continue;
      unknown.push(...values.filter((value) => !labels?.[label]?.has(value)).map((value) => `${label}="${value}"`));
    }
  }
  return [...unknown, ...[...grouped, ...shown].filter((label) => !known.has(label))];
}

const labelsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, label = '']) => label);

describe('the dashboard', () => {
  it('asks only for metrics, labels and values that a host has', () => {
    const found = queries().map(({ panel, expr, legend }) => ({
      panel,
      unknown: unknownNames(expr, labelsIn(legend, /\{\{(\w+)\}\}/g)),
    }));
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
  });

  it('asks for a Prometheus when it is imported', () => {
    const { __inputs: inputs, templating, panels } = dashboard();
    expect(inputs).toMatchObject([{ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }]);
    const [source] = templating.list;
    expect(source).toMatchObject({ name: 'datasource', type: 'datasource' });
    expect(source?.current?.value).toMatch(/^\$\{DS_PROMETHEUS\}$/);
    const ofPanels = panels.filter(({ type }) => type !== 'row').map((panel) => JSON.stringify(panel));
    for (const panel of ofPanels) expect(panel).toMatch(/"uid":"\$\{datasource\}"/);
  });
});

describe('the alert rules', () => {
  it('ask only for metrics, labels and values that a host has', () => {
    const found = alertRules().map(({ alert, expr, annotations }) => ({
      alert,
      unknown: unknownNames(expr, labelsIn(Object.values(annotations).join(), /\$labels\.(\w+)/g)),
    }));
    expect(found.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
  });

  it('can see that PostgreSQL is away: the backlog is not shown', async () => {
    const shown = async () => (await metrics()).match(/^(?:emails_due|emails_queue_jobs|emails_accepted_total)\b/gm);
    expect(new Set(await shown())).toEqual(new Set(['emails_due', 'emails_queue_jobs', 'emails_accepted_total']));
    await postgres.refuse();
    await eventually(async () => expect(await shown()).toEqual(['emails_accepted_total']));
    await postgres.restore();
    await eventually(async () => expect(await shown()).toContain('emails_due'));
  });

  it('each say how bad it is, and the next step', () => {
    for (const { labels, annotations } of alertRules()) {
      expect(labels.severity).toMatch(/^(?:critical|warning)$/);
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'action']);
    }
  });

  it('each have a test in which they fire and one in which they do not', () => {
    const tests = alertTests();
    const named = (fires: boolean) =>
      tests.flatMap(({ expr, ...test }) => (test.fires === fires ? labelsIn(expr, /alertname="(\w+)"/g) : [])).sort();
    const alerts = alertRules()
      .map(({ alert }) => alert)
      .sort();
    expect(named(true)).toEqual(alerts);
    expect(named(false)).toEqual(alerts);
  });
});

it('finds names that no host has', () => {
  const expr =
    'sum by (who) (rate(emails_gone_total{job="a"}[5m])) / sum(emails_attempts_total{outcome=~"accepted|lost"})';
  expect(unknownNames(expr, ['transport'])).toEqual(['emails_gone_total', 'outcome="lost"', 'who', 'transport']);
});
