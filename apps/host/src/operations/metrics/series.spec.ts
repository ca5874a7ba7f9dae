import type { EmailsBacklog, EventSubscriptions, FeatureMetrics } from 'nestjs-emails';
import { WebhooksBacklog } from 'nestjs-emails/webhooks';
import { Registry } from 'prom-client';
import { BacklogMetrics } from './backlog-metrics.service.js';
import { Metrics } from './metrics.js';
import { SERIES } from './series.js';
import { WebhookMetrics } from './webhook-metrics.js';

it('registers every series of the table, and no other', async () => {
  const metrics = new Metrics();
  new WebhookMetrics(metrics.registry);
  const webhooks = new WebhooksBacklog({ waiting: async () => ({ count: 0, oldestAge: 0 }) });
  const faults = { name: 'domains_not_signing', help: SERIES.domains_not_signing.help, value: 0 };
  const features = { gauges: async () => [...(await webhooks.gauges()), faults] } as unknown as FeatureMetrics;
  await new BacklogMetrics(metrics, {} as EmailsBacklog, {} as EventSubscriptions, features).refresh();
  const registered = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  expect(registered.filter((name) => !/^(process|nodejs)_/.test(name)).sort()).toEqual(Object.keys(SERIES).sort());
  metrics.registry.clear();
});

it('starts at zero for every known value of a label', async () => {
  const registry = new Registry();
  new WebhookMetrics(registry);
  const text = await registry.metrics();
  for (const line of [
    'webhook_attempts_total{outcome="success"} 0',
    'webhook_attempts_total{outcome="failure"} 0',
    'webhooks_disabled_total{reason="gone"} 0',
    'webhooks_disabled_total{reason="failing"} 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});
