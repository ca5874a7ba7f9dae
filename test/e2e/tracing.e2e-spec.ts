import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../support/basics/cleanup.js';
import { startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** A recording OTLP collector. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => server.close());
  const spans = () =>
    bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans };
}

it('a trace connects the request, the queue and each attempt, without addresses', async () => {
  const collector = await startCollector();
  const sink = await SmtpSink.start();
  sink.onMessage = (_, count) => (count === 1 ? '451 4.3.0 Not now' : undefined);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, SMTP_HOP: 'final' };
  const api = await startHost({ role: 'api', smtp: sink, env });
  const worker = await startHost({ role: 'worker', beside: api, smtp: sink, env });
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, baggage: 'user=canary' };
  const body = { from: 'Canary <canary@from.test>', to: 'canary@to.test', subject: 'canary', text: 'canary' };
  const { body: answer } = await api.request<{ id: string }>('POST', '/emails', { body, headers });
  await untilShown(api, answer.id, 'delivered');
  // Spans are sent at the end of the process at the latest.
  expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);

  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
  const attributesOf = ({ attributes }: Span) => JSON.stringify(attributes);
  const chain = (span: Span | undefined): string[] =>
    span ? [span.name, ...chain(spans.find(({ spanId }) => spanId === span.parentSpanId))] : [];
  const attempts = spans.filter(({ name }) => name === 'emails.attempt');
  expect(attempts.map(chain).sort((a, b) => a.length - b.length)).toEqual([
    ['emails.attempt', 'emails.deliver', 'emails.accept', 'POST /emails'],
    ['emails.attempt', 'emails.deliver', 'emails.deliver', 'emails.accept', 'POST /emails'],
  ]);
  expect(attempts.map(attributesOf).join()).toMatch(/deferred.*accepted|accepted.*deferred/);
  for (const attempt of attempts) expect(attributesOf(attempt)).toContain(answer.id);
  expect(collector.bodies.join()).not.toContain('canary');
});

it('a collector that is away, or none at all, changes nothing', async () => {
  const sink = await SmtpSink.start();
  for (const url of ['http://127.0.0.1:1', undefined]) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, SMTP_HOP: 'final' };
    const host = await startHost({ smtp: sink, env });
    await untilShown(host, await post(host, 'to@to.test'), 'delivered');
    expect(await host.stop()).toBe(0);
  }
});
