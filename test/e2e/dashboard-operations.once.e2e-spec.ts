import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { httpRequest } from '../support/requests/http-request.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const ADMIN_TOKEN = 'operator'.repeat(5);
const SECRET_KEY = 's'.repeat(32);

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { ADMIN_TOKEN, SECRET_KEY } });
});

const open = (client: DashboardClient, token: unknown = ADMIN_TOKEN, headers = {}) =>
  client.ask('POST', '/operations/session', { body: { token }, headers });

describe('the views of operators', () => {
  it('is for signed-in visitors with the token of operators', async () => {
    const client = new DashboardClient(host);
    expect((await open(client)).status).toBe(401);
    await client.signIn({ token: host.token });
    expect((await client.ask('GET', '/session')).body).toMatchObject({ features: { operations: true } });
    expect(await client.ask('GET', '/operations')).toMatchObject({ status: 403, body: { name: 'invalid_access' } });
    expect((await open(client, ADMIN_TOKEN, { 'x-emails-page': '' })).status).toBe(401);
    expect((await open(client, ADMIN_TOKEN, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const { headers } = await open(client);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^emails_operator_[\w-]{12}=[\w.-]+; Path=\/dashboard; Max-Age=3600; HttpOnly; SameSite=/),
    ]);
    expect(await client.ask('GET', '/operations')).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        status: 'ok',
        checks: { database: 'ok', queue: 'ok' },
        emails: { due: 0 },
        jobs: expect.any(Object),
        subscribers: expect.any(Array),
        webhooks: { waiting: 0 },
        paused: { count: 0, longest: [], mail: null },
        process: { role: 'all' },
        board: '/admin/queues',
      },
    });
    expect((await client.ask('POST', '/operations')).status).toBe(405);
    expect((await client.ask('GET', '/operations/session')).status).toBe(405);
    expect((await client.ask('GET', '/operations/other')).status).toBe(404);
    const copied = new Map(client.cookies);
    await client.ask('DELETE', '/session');
    expect(client.cookies.size).toBe(0);
    await client.signIn({ token: host.token });
    for (const [name, value] of copied) if (name.includes('operator')) client.cookies.set(name, value);
    expect((await client.ask('GET', '/operations')).status).toBe(403);
  });

  it('lists the oldest pauses', async () => {
    await host.query(
      `INSERT INTO nestjs_emails.pauses (scope, subject, transport, since, reason)
       SELECT 'account', 'account ' || n, '', '2026-11-01T00:00:00Z'::timestamptz + n * interval '1 hour', 'Bounces: 6 %'
       FROM generate_series(1, 120) AS n`,
    );
    const client = await DashboardClient.signedIn(host);
    await open(client);
    const { paused } = (
      await client.ask<{ paused: { count: number; longest: object[]; mail: null } }>('GET', '/operations')
    ).body;
    expect({ count: paused.count, shown: paused.longest.length }).toEqual({ count: 120, shown: 100 });
    expect(paused.mail).toBeNull();
    expect(paused.longest[0]).toEqual({
      account: 'account 1',
      since: '2026-11-01T01:00:00.000Z',
      reason: 'Bounces: 6 %',
    });
    await host.query('DELETE FROM nestjs_emails.pauses');
  });

  it('pauses and resumes, and shows what would leave before', async () => {
    const client = await DashboardClient.signedIn(host);
    const change = (what: string, body: object) => client.ask('POST', `/operations/${what}`, { body });
    expect((await change('pause', { reason: 'Restored.' })).status).toBe(403);
    await open(client);
    expect((await change('pause', { reason: ' ' })).status).toBe(422);
    expect((await change('resume', { acount: 'one' })).status).toBe(422);
    expect((await client.ask('GET', '/operations/pause')).status).toBe(405);
    expect((await client.ask('GET', '/status')).body).toMatchObject({ paused: null });
    expect((await change('pause', { reason: 'Restored.' })).body).toEqual({ object: 'operations_pause' });
    await change('pause', { template: 'welcome', transport: 'relay:25', reason: 'Wrong.' });
    for (const to of ['a@to.test', 'b@to.test']) await post(host, to);
    const paused = async () => (await client.ask<{ paused: object }>('GET', '/operations')).body.paused;
    const since = expect.stringMatching(/^20.*Z$/);
    await until(async () => ((await paused()) as { mail: { count: number } }).mail.count === 2);
    expect(await paused()).toEqual({
      count: 2,
      longest: [
        { since, reason: 'Restored.' },
        { template: 'welcome', transport: 'relay:25', since, reason: 'Wrong.' },
      ],
      mail: { count: 2, accounts: [{ account: expect.any(String), count: 2 }] },
    });
    const shown = { since, reason: 'Restored.', what: 'everything' };
    expect((await client.ask('GET', '/status')).body).toMatchObject({ paused: shown });
    expect((await client.ask('GET', '/session')).body).toMatchObject({ paused: shown });
    expect((await new DashboardClient(host).ask('GET', '/session')).body).toMatchObject({ paused: null });
    expect(sink.messages).toEqual([]);
    await change('resume', {});
    await sink.waitFor(2);
    await change('resume', { template: 'welcome', transport: 'relay:25' });
    expect(await paused()).toEqual({ count: 0, longest: [], mail: null });
  });

  it('lets only an admin pause, whatever the token of operators', async () => {
    const { body: key } = await host.request<{ token: string }>('POST', '/api-keys', {
      body: { name: 'support', page_role: 'support' },
    });
    const client = await DashboardClient.signedIn(host, key.token);
    await open(client);
    expect((await client.ask('GET', '/operations')).status).toBe(200);
    for (const what of ['pause', 'resume']) {
      const { status } = await client.ask('POST', `/operations/${what}`, { body: { reason: 'x' } });
      expect([what, status]).toEqual([what, 403]);
    }
    expect(await host.query('SELECT FROM nestjs_emails.pauses')).toEqual([]);
  });

  it('is not the queue board, past a proxy that blocks its path', async () => {
    const client = await DashboardClient.signedIn(host);
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/queues', '/metrics']) {
      const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` };
      for (const headers of [bearer, { ...bearer, cookie: undefined }, { authorization: undefined }]) {
        expect([path, (await client.ask('GET', `/api${path}`, { headers })).status]).toEqual([path, 404]);
      }
    }
    const direct = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await httpRequest(host.url, 'GET', '/admin/queues/', { headers: direct })).status).toBe(200);
  });

  it('ends with the token', async () => {
    const client = await DashboardClient.signedIn(host);
    await open(client);
    const other = await startHost({ beside: host, smtp: sink, env: { SECRET_KEY, ADMIN_TOKEN: 'other'.repeat(8) } });
    const there = new DashboardClient(other);
    for (const [name, value] of client.cookies) there.cookies.set(name, value);
    there.pageToken = client.pageToken;
    expect((await there.ask('GET', '/api/topics')).status).toBe(200);
    expect((await there.ask('GET', '/operations')).status).toBe(403);
  });

  it('is no session of the page', async () => {
    const client = await DashboardClient.signedIn(host);
    await open(client);
    const [name = '', value = ''] = [...client.cookies].find(([cookie]) => cookie.includes('operator')) ?? [];
    const cookie = `${name.replace('operator_', '')}=${value}`;
    expect((await client.ask('GET', '/frames/emails/x', { headers: { cookie } })).status).toBe(401);
  });

  it('counts wrong tokens', async () => {
    const client = await DashboardClient.signedIn(host);
    expect((await open(client, 5)).status).toBe(422);
    expect((await open(client, 'wrong')).status).toBe(403);
    await eventually(async () => expect((await open(client, 'wrong')).status).toBe(429));
  });

  it('does not exist without such a token', async () => {
    const none = await startHost({ smtp: sink });
    const client = await DashboardClient.signedIn(none);
    expect((await client.ask('GET', '/session')).body).toMatchObject({ features: { operations: false } });
    expect((await open(client)).status).toBe(405);
  });
});

describe('while PostgreSQL is away', () => {
  it('no visitor can be identified, every answer says so, and sessions continue afterwards', async () => {
    const proxy = await startPostgresProxy();
    const away = await startHost({ smtp: sink, postgresProxy: proxy, env: { ADMIN_TOKEN, SECRET_KEY } });
    const client = await DashboardClient.signedIn(away);
    await open(client);
    await proxy.refuse();
    // A key is cached briefly, and so is an active session: that of the page is checked everywhere.
    await eventually(async () => expect((await client.ask('GET', '/session')).status).toBe(503));
    const newcomer = new DashboardClient(away);
    const answers = await Promise.all([
      ...['/operations', '/session', '/api/emails'].map((path) => client.ask('GET', path)),
      newcomer.signIn({ token: away.token }),
    ]);
    for (const { status, body, headers } of answers) {
      expect({ status, name: body.name }).toEqual({ status: 503, name: 'application_error' });
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await client.ask('GET', '/')).status).toBe(200);
    await proxy.restore();
    await eventually(async () => expect((await client.ask('GET', '/operations')).status).toBe(200));
  });
});
