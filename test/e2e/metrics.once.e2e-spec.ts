import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilSettled } from '../support/reading/deliveries.js';
import { FileServer } from '../support/servers/file-server.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { ADMIN_TOKEN, SMTP_HOP: 'final', WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } });
});

async function metricsOf(of: RunningHost): Promise<string> {
  const { status, text } = await of.request('GET', '/metrics', { token: ADMIN_TOKEN });
  expect(status).toBe(200);
  return text;
}

/** The value of one series, as it is written. */
function numberOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  if (!line) throw new Error(`There is no ${series} in:\n${text}`);
  return Number(line.slice(series.length + 1));
}

describe('GET /metrics', () => {
  it('is not there unless ADMIN_TOKEN is set', async () => {
    const open = await startHost({ smtp: sink });
    expect(await open.request('GET', '/metrics')).toMatchObject({ status: 404, body: { name: 'not_found' } });
  });

  it.each([
    ['nobody', null, 'missing_api_key'],
    ['a full-access API key', undefined, 'invalid_api_key'],
    ['another token', `${ADMIN_TOKEN}x`, 'invalid_api_key'],
  ])('is closed to %s', async (_, token, name) => {
    expect(await host.request('GET', '/metrics', token === undefined ? {} : { token })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
      body: { name },
    });
  });

  it('counts accepted, tried and delivered emails, without addresses', async () => {
    sink.onRcpt = (address) => (address.startsWith('nobody@') ? '550 5.1.1 No such user' : undefined);
    const body = { name: 'News', default_subscription: 'opt_out' };
    const topic = await host.request<{ id: string }>('POST', '/topics', { body });
    const ids = [
      await post(host, ['ann@gmail.com', 'bob@to.test']),
      await post(host, 'nobody@outlook.com', { html: '<p>canary</p>' }),
      await post(host, 'no-contact@to.test', { topic_id: topic.body.id }),
    ];
    await untilSettled(host, ids);
    const text = await metricsOf(host);
    expect(
      Object.fromEntries(
        [
          'emails_accepted_total',
          'emails_acceptance_seconds_count',
          'emails_attempt_seconds_count',
          'emails_delivery_seconds_count',
          'emails_recipient_events_total{type="delivered"}',
          'emails_recipient_events_total{type="bounced"}',
          'emails_recipient_events_total{type="failed"}',
          'emails_recipient_events_total{type="suppressed"}',
          'emails_attempts_total{outcome="accepted",destination="google"}',
          'emails_attempts_total{outcome="accepted",destination="other"}',
          'emails_attempts_total{outcome="rejected",destination="microsoft"}',
          'emails_attempts_total{outcome="deferred",destination="other"}',
          'emails_delivery_failures_total{kind="reply"}',
          'emails_delivery_failures_total{kind="network"}',
          'emails_next_hop_down',
          'emails_due',
          'emails_oldest_due_age_seconds',
        ].map((series) => [series, numberOf(text, series)]),
      ),
    ).toEqual({
      emails_accepted_total: 3,
      emails_acceptance_seconds_count: 3,
      emails_attempt_seconds_count: 2,
      emails_delivery_seconds_count: 2,
      'emails_recipient_events_total{type="delivered"}': 2,
      'emails_recipient_events_total{type="bounced"}': 1,
      'emails_recipient_events_total{type="failed"}': 1,
      'emails_recipient_events_total{type="suppressed"}': 0,
      'emails_attempts_total{outcome="accepted",destination="google"}': 1,
      'emails_attempts_total{outcome="accepted",destination="other"}': 1,
      'emails_attempts_total{outcome="rejected",destination="microsoft"}': 1,
      'emails_attempts_total{outcome="deferred",destination="other"}': 0,
      'emails_delivery_failures_total{kind="reply"}': 1,
      'emails_delivery_failures_total{kind="network"}': 0,
      emails_next_hop_down: 0,
      emails_due: 0,
      emails_oldest_due_age_seconds: 0,
    });
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).not.toMatch(/@|gmail|to\.test|canary/);
  });

  it('counts webhook requests, disabled webhooks, and pending events', async () => {
    const receiver = await FileServer.start();
    for (const [path, status] of Object.entries({ '/good': 204, '/gone': 410 }))
      receiver.routes[path] = (request, response) =>
        request.resume().once('end', () => response.writeHead(status).end());
    for (const path of ['/good', '/gone', '/away']) {
      const endpoint = path === '/away' ? 'http://127.0.0.1:1024/' : receiver.url + path;
      const body = { endpoint, events: ['email.scheduled'] };
      expect((await host.request('POST', '/webhooks', { body })).status).toBe(201);
    }
    await post(host, 'to@to.test', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    await eventually(async () => {
      const text = await metricsOf(host);
      expect(numberOf(text, 'webhook_attempts_total{outcome="success"}')).toBe(1);
      expect(numberOf(text, 'webhook_attempts_total{outcome="failure"}')).toBeGreaterThanOrEqual(2);
      expect(numberOf(text, 'webhook_attempt_seconds_count')).toBeGreaterThanOrEqual(3);
      expect(numberOf(text, 'webhooks_disabled_total{reason="gone"}')).toBe(1);
      expect(numberOf(text, 'webhooks_disabled_total{reason="failing"}')).toBe(0);
      expect(numberOf(text, 'webhook_events_waiting')).toBe(1);
      expect(numberOf(text, 'webhook_events_oldest_age_seconds')).toBeGreaterThan(0);
      expect(numberOf(text, 'emails_outbox_events{subscriber="webhooks"}')).toBe(0);
      expect(numberOf(text, 'emails_outbox_oldest_age_seconds{subscriber="webhooks"}')).toBe(0);
    });
    expect(host.output).toMatch(/The webhook [0-9a-f-]{36} was disabled: it answered 410/);
  });

  it('reports the backlog, in an API without a worker', async () => {
    const api = await startHost({ role: 'api', smtp: sink, env: { ADMIN_TOKEN } });
    await post(api, 'to@to.test');
    await post(api, 'to@to.test', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    await eventually(async () => {
      const text = await metricsOf(api);
      expect(numberOf(text, 'emails_due')).toBe(1);
      expect(numberOf(text, 'emails_oldest_due_age_seconds')).toBeGreaterThan(0);
      expect(numberOf(text, 'emails_queue_jobs{state="waiting"}')).toBe(1);
      expect(numberOf(text, 'emails_queue_jobs{state="delayed"}')).toBe(1);
    });
    // Without its source a number is missing, not wrong.
    await api.query('ALTER SCHEMA bullmq RENAME TO away');
    const text = await metricsOf(api);
    expect(numberOf(text, 'emails_due')).toBe(1);
    expect(text).not.toMatch(/^emails_queue_jobs\{/m);
  });
});
