import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { alertRules } from '../support/reading/operating-files.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operators-only-0123456789';
const SECRET_KEY = 's'.repeat(32);
const MANY = 12;

let sink: SmtpSink;
let relay: TcpProxy;
let host: RunningHost;
let api: RunningHost;
let name: string;

beforeAll(async () => {
  sink = await SmtpSink.start();
  relay = await TcpProxy.start('127.0.0.1', sink.port);
  const env = { RETRY_SCHEDULE: '10m,10m', SMTP_HOP: 'relay', ADMIN_TOKEN, SECRET_KEY };
  host = await startHost({ smtp: relay.through(sink.url), env });
  api = await startHost({ beside: host, smtp: relay.through(sink.url), env: { ...env, ROLE: 'api' } });
  name = new URL(relay.through(sink.url)).host;
});

beforeEach(async () => {
  await relay.restore();
  await eventually(async () => expect((await banner(host)).degraded).toBeNull());
});

interface Banner {
  degraded: { since: string; what: string; hop: string; waiting: number } | null;
}

interface Report {
  status: string;
  emails: { due: number; oldest_due_seconds: number };
  next_hop: {
    name: string;
    state: string;
    since: string | null;
    error: string | null;
    last_success: string | null;
    waiting: number;
    oldest_waiting_seconds: number;
    accepted_per_minute: number | null;
    destinations: { domain: string; accepted: number; others: number }[] | null;
  };
}

async function banner(of: RunningHost): Promise<Banner> {
  const client = await visitor(of);
  const { status, body } = await client.ask<Banner>('GET', '/status');
  expect(status).toBe(200);
  return body;
}

async function report(of: RunningHost): Promise<Report> {
  const client = await visitor(of);
  await client.ask('POST', '/operations/session', { body: { token: ADMIN_TOKEN } });
  return (await client.ask<Report>('GET', '/operations')).body;
}

const visitors = new Map<RunningHost, DashboardClient>();
async function visitor(of: RunningHost): Promise<DashboardClient> {
  const known = visitors.get(of) ?? (await DashboardClient.signedIn(of, host.token));
  visitors.set(of, known);
  return known;
}

async function loseRelay(): Promise<string[]> {
  await untilShown(host, await post(host, 'before@one.test'), 'sent');
  await relay.refuse();
  return Promise.all(Array.from({ length: MANY }, (_, n) => post(host, `during${n}@two.test`)));
}

async function series(of: RunningHost): Promise<Map<string, number>> {
  const { text } = await of.request('GET', '/metrics', { token: ADMIN_TOKEN });
  return new Map(
    [...String(text).matchAll(/^(\w+) (\S+)$/gm)].map(([, series = '', value]) => [series, Number(value)]),
  );
}

const NAMES = ['EmailsWaitForNextHop', 'EmailsLate'];

/** The rules about mail that waits that would fire for the values of one process: each compares a series with a number. */
async function firing(of: RunningHost): Promise<string[]> {
  const values = await series(of);
  const rules = alertRules().filter(({ alert }) => NAMES.includes(alert));
  return rules.flatMap(({ alert, expr }) => {
    const [, named = '', number] = /^max\((\w+)\) > (\d+)$/.exec(expr) ?? [];
    if (!values.has(named)) throw new Error(`${alert}: cannot evaluate ${expr}`);
    return (values.get(named) as number) > Number(number) ? [alert] : [];
  });
}

describe('a relay that is down', () => {
  it('is in health and in the banner with its name, since when, why, and the emails that wait; gone when it is back', async () => {
    expect((await report(host)).next_hop).toMatchObject({ name, state: 'up', since: null, waiting: 0 });
    const began = Date.now();
    const ids = await loseRelay();
    await eventually(async () => {
      const { emails, next_hop, status } = await report(host);
      expect({ emails, next_hop, status }).toMatchObject({
        emails: { due: MANY },
        next_hop: { name, state: 'down', waiting: MANY, error: expect.stringMatching(/ECONNREFUSED|ESOCKET/) },
      });
    });
    const { next_hop, emails } = await report(host);
    const since = Date.parse(next_hop.since ?? '');
    expect(since).toBeGreaterThanOrEqual(began);
    expect(since).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(next_hop.last_success ?? '')).toBeLessThanOrEqual(since);
    expect(next_hop.oldest_waiting_seconds).toBeGreaterThan(0);
    expect(emails.oldest_due_seconds).toBeGreaterThanOrEqual(next_hop.oldest_waiting_seconds);
    expect(next_hop.destinations).toContainEqual({ domain: 'one.test', accepted: expect.any(Number), others: 0 });
    expect(next_hop.accepted_per_minute).toBeGreaterThan(0);
    expect(JSON.stringify(next_hop)).not.toContain('@');
    await eventually(async () => {
      const { degraded } = await banner(host);
      expect(degraded).toEqual({ since: expect.any(String), what: 'next_hop', hop: name, waiting: MANY });
    });
    const session = (await (await visitor(host)).ask('GET', '/session')).body;
    expect(session.degraded).toMatchObject({ hop: name, waiting: MANY });

    await relay.restore();
    for (const id of ids) await untilShown(host, id, 'sent');
    await eventually(async () => {
      expect((await banner(host)).degraded).toBeNull();
      const { emails, next_hop } = await report(host);
      expect({ emails, next_hop }).toMatchObject({
        emails: { due: 0 },
        next_hop: { state: 'up', since: null, waiting: 0 },
      });
      expect(Date.parse(next_hop.last_success ?? '')).toBeGreaterThan(since);
    });
  });

  it('is known to a process that does not deliver, by the emails that wait', async () => {
    expect((await report(api)).next_hop).toMatchObject({ name, state: 'unknown', destinations: null });
    await loseRelay();
    await eventually(async () => {
      expect((await report(api)).next_hop).toMatchObject({
        state: 'down',
        since: expect.any(String),
        error: expect.stringContaining('ECONNREFUSED'),
        waiting: MANY,
      });
    });
    expect((await banner(api)).degraded).toMatchObject({ what: 'next_hop', hop: name });
  });

  it('fires the alerts of the documentation, and only then', async () => {
    await eventually(async () => expect(await firing(host)).toEqual([]));
    const ids = await loseRelay();
    await eventually(async () => expect(await firing(host)).toEqual(['EmailsWaitForNextHop']));
    const values = await series(host);
    expect(values.get('emails_waiting')).toBeGreaterThan(0);
    expect(values.get('emails_next_hop_down_since_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000 - 600);
    expect(values.get('emails_next_hop_accepted_timestamp_seconds')).toBeGreaterThan(0);
    await eventually(async () => expect((await series(api)).get('emails_waiting')).toBe(MANY));
    await host.query(`UPDATE nestjs_emails.deliveries SET waits_from = now() - interval '10 minutes'
      WHERE waits_for IS NOT NULL`);
    await eventually(async () => expect(await firing(host)).toEqual(NAMES));
    await relay.restore();
    for (const id of ids) await untilShown(host, id, 'sent');
    await eventually(async () => expect(await firing(host)).toEqual([]));
    expect((await series(host)).get('emails_next_hop_down_since_timestamp_seconds')).toBe(0);
  });

  it('is for visitors alone, in a small answer', async () => {
    const stranger = new DashboardClient(host);
    expect((await stranger.ask('GET', '/status')).status).toBe(401);
    const client = await visitor(host);
    expect((await client.ask('POST', '/status')).status).toBe(405);
    expect((await client.ask('GET', '/session')).body).toMatchObject({ features: { status: true } });
    const { headers, text } = await client.ask('GET', '/status');
    const bytes = JSON.stringify(headers).length + text.length;
    // Ten answers a minute are half of an idle page's 10 kB.
    expect(bytes).toBeLessThan(500);
  });
});
