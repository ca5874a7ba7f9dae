import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { httpRequest } from '../support/requests/http-request.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const SIGNED_OUT = {
  ...{ signedIn: false, permission: null, account: null, account_name: null, environment: null },
  ...{ key: null, expires_at: null, degraded: null, paused: null },
};

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { SECRET_KEY: OLD, RATE_LIMIT: '1000' } });
});

const newKey = async (body: object = {}) =>
  (await host.request<{ id: string; token: string }>('POST', '/api-keys', { body: { name: 'page', ...body } })).body;
const api = (client: DashboardClient, headers = {}) => client.ask('GET', '/api/topics?limit=1', { headers });
/** Without a cookie or anything else of the page. */
const plain = (method: string, path: string, headers = {}) => httpRequest<string>(host.url, method, path, { headers });

describe('signing in to the dashboard', () => {
  it('gives a session for a key', async () => {
    const client = new DashboardClient(host);
    expect((await client.ask('GET', '/session')).body).toMatchObject({ signIn: 'key', ...SIGNED_OUT });
    const { status, body, headers } = await client.signIn({ token: host.token });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { signedIn: true, permission: 'full_access', features: { emails: true, webhooks: true }, apiUrl: host.url },
    });
    // Only people who are signed in learn the names.
    expect(body).toMatchObject({ account_name: 'default', environment: '127.0.0.1' });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^emails_[\w-]{12}=[\w.-]+; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ]);
    expect(headers['cache-control']).toBe('no-store');
    expect((await api(client)).status).toBe(200);
  });

  it.each([{ 'x-forwarded-proto': 'https' }, { forwarded: 'for=192.0.2.1;proto=https' }])(
    'restricts the cookie to TLS if there is any: %j',
    async (headers) => {
      const { headers: answered } = await new DashboardClient(host).signIn({ token: host.token }, headers);
      expect(answered['set-cookie']?.[0]).toMatch(/; Secure$/);
    },
  );

  it('is refused for a sending-only key, with the reason', async () => {
    const { token } = await newKey({ permission: 'sending_access' });
    expect(await new DashboardClient(host).signIn({ token })).toMatchObject({
      status: 401,
      body: { name: 'restricted_api_key', message: expect.stringContaining('full access') },
    });
  });

  it.each([{}, { token: '' }, { token: 5 }, { code: 'x' }, { token: 're_x' }, []])(
    'is refused for %j',
    async (body) => {
      const answer = await new DashboardClient(host).ask('POST', '/session', { body });
      expect([400, 401, 403, 422]).toContain(answer.status);
      expect(answer.headers['set-cookie']).toBeUndefined();
    },
  );

  it('is refused for too long a body, sent in any way', async () => {
    const body = Buffer.from(JSON.stringify({ token: 'x'.repeat(100_000) }));
    const client = new DashboardClient(host);
    expect((await client.ask('POST', '/session', { body })).status).toBe(413);
    const headers = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
    expect((await client.ask('POST', '/session', { body, headers })).status).toBe(413);
  });

  it('counts wrong keys like the API', async () => {
    const other = await startHost({ beside: host, smtp: sink, env: { SECRET_KEY: OLD } });
    const client = new DashboardClient(other);
    await eventually(async () => {
      expect((await client.signIn({ token: `re_${'x'.repeat(43)}` })).status).toBe(429);
    });
  });
});

describe('a session', () => {
  it('opens nothing without the token of the page', async () => {
    const client = await DashboardClient.signedIn(host);
    const other = await DashboardClient.signedIn(host);
    expect((await api(client, { 'x-emails-page': '' })).status).toBe(401);
    expect((await api(client, { 'x-emails-page': other.pageToken })).status).toBe(401);
    expect((await api(client)).status).toBe(200);
  });

  it.each<Record<string, string | undefined>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': undefined, origin: 'null' },
    { 'sec-fetch-site': undefined, 'x-emails-page': undefined },
    { authorization: 'Bearer re_x' },
  ])('refuses requests of another page: %j', async (headers) => {
    const client = await DashboardClient.signedIn(host);
    expect(await api(client, headers)).toMatchObject({ status: 403, body: { name: 'invalid_access' } });
  });

  it('refuses a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `token=${host.token}`;
    expect((await new DashboardClient(host).ask('POST', '/session', { body, headers })).status).toBe(415);
  });

  it.each<Record<string, string | undefined>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': undefined, 'x-emails-page': undefined },
  ])('is not started, ended or read by another page: %j', async (headers) => {
    const nobody = new DashboardClient(host);
    expect(await nobody.signIn({ token: host.token }, headers)).toMatchObject({ status: 403 });
    expect(nobody.cookies.size).toBe(0);
    const client = await DashboardClient.signedIn(host);
    for (const method of ['GET', 'DELETE']) {
      expect(await client.ask(method, '/session', { headers })).toMatchObject({ status: 403 });
    }
    expect((await api(client)).status).toBe(200);
  });

  it('has no meaning for the public API', async () => {
    const { cookies, pageToken } = await DashboardClient.signedIn(host);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    expect((await plain('GET', '/topics', { cookie, 'x-emails-page': pageToken })).status).toBe(401);
  });

  it('cannot be forged', async () => {
    const client = await DashboardClient.signedIn(host);
    const [[name = '', value = ''] = []] = [...client.cookies];
    const [payload = '', signature = ''] = value.split('.');
    const other = Buffer.from(JSON.stringify(['00000000-0000-4000-8000-000000000000', 'x', 9e15, 9e15]));
    for (const forged of [
      `${name}=${other.toString('base64url')}.${signature}`,
      `${name}=${payload}`,
      `${name}=`,
      `emails_xxxxxxxxxxxx=${value}`,
      `emails_operator_${name.slice(7)}=${value}`,
    ]) {
      expect((await api(client, { cookie: forged })).status).toBe(401);
    }
    const foreign = `emails_xxxxxxxxxxxx=a.b; ${name}=x.y; ${name}=${value}`;
    expect((await api(client, { cookie: foreign })).status).toBe(200);
  });

  it('ends with its key', async () => {
    const { id, token } = await newKey();
    const client = await DashboardClient.signedIn(host, token);
    expect((await api(client)).status).toBe(200);
    await host.request('DELETE', `/api-keys/${id}`);
    await eventually(async () => expect((await api(client)).status).toBe(401), { timeout: host.seconds(1) });
    expect((await client.ask('GET', '/session')).body).toMatchObject(SIGNED_OUT);
  });

  it('ends on request', async () => {
    const client = await DashboardClient.signedIn(host);
    expect(await client.ask('DELETE', '/session')).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(client.cookies.size).toBe(0);
    expect((await api(client)).status).toBe(401);
  });

  it('ends for a copied cookie on every process, and ends no other session', async () => {
    const client = await DashboardClient.signedIn(host);
    const stays = await DashboardClient.signedIn(host);
    const other = await startHost({ beside: host, smtp: sink, env: { SECRET_KEY: OLD } });
    const copies = [host, other].map((where) => {
      const copy = new DashboardClient(where);
      for (const [name, value] of client.cookies) copy.cookies.set(name, value);
      copy.pageToken = client.pageToken;
      return copy;
    });
    const statuses = () => Promise.all(copies.map(async (copy) => (await api(copy)).status));
    expect(await statuses()).toEqual([200, 200]);
    await client.ask('DELETE', '/session');
    expect((await api(copies[0] as DashboardClient)).status).toBe(401);
    await eventually(async () => expect(await statuses()).toEqual([401, 401]), { timeout: host.seconds(1) });
    for (const copy of copies) {
      expect((await copy.ask('GET', '/frames/emails/x')).status).toBe(401);
      expect((await copy.ask('GET', '/session')).body).toMatchObject(SIGNED_OUT);
    }
    expect((await api(stays)).status).toBe(200);
    await other.restart();
    expect((await api(copies[1] as DashboardClient)).status).toBe(401);
  });

  it('is valid in other processes, and while its secret is replaced', async () => {
    const client = await DashboardClient.signedIn(host);
    const asked = async (secrets: string) => {
      const other = await startHost({ beside: host, smtp: sink, env: { SECRET_KEY: secrets } });
      const there = new DashboardClient(other);
      for (const [name, value] of client.cookies) there.cookies.set(name, value);
      there.pageToken = client.pageToken;
      return (await api(there)).status;
    };
    expect(await asked(OLD)).toBe(200);
    expect(await asked(`${NEW},${OLD}`)).toBe(200);
    expect(await asked(NEW)).toBe(401);
  });
});

describe('the API below the dashboard', () => {
  it.each([
    '/inbox',
    '/admin/queues',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/dashboard',
    '/dashboard/session',
    '/dashboard/api/topics',
    '/',
    '',
    '/%2ftopics',
    '/../topics',
    '/./topics',
    '/docs',
    '/openapi.json',
    '/nothing',
  ])('has nothing but the API: %s', async (path) => {
    const client = await DashboardClient.signedIn(host);
    const { status, text } = await client.ask('GET', `/api${path}`, { headers: { accept: 'text/html' } });
    // Without a slash it is a path of the page itself.
    if (path === '') expect(text).toContain('<base href="/dashboard/"');
    else expect(status).toBe(404);
  });

  it('accepts the same as the API', async () => {
    const client = await DashboardClient.signedIn(host);
    const attachments = [{ filename: 'large.bin', content: Buffer.alloc(9_000_000).toString('base64') }];
    const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Large', text: 'x', attachments };
    expect((await client.ask('POST', '/api/emails', { body })).status).toBe(200);
    expect((await client.ask('POST', '/api/emails', { body: '{' })).status).toBe(400);
    expect((await new DashboardClient(host).ask('POST', '/api/emails', { body })).status).toBe(401);
  });

  it('counts requests like the API', async () => {
    const limited = await startHost({ smtp: sink, env: { RATE_LIMIT: '2' } });
    const client = await DashboardClient.signedIn(limited);
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => api(client)));
      expect(answers.map(({ status }) => status)).toContain(429);
    });
  });

  it('interprets a path like the API', async () => {
    const client = await DashboardClient.signedIn(host);
    const { status } = await host.request('GET', '//topics?limit=1');
    expect((await client.ask('GET', '/api//topics?limit=1')).status).toBe(status);
  });
});

describe('the page', () => {
  it('is one document for all of its paths', async () => {
    for (const path of ['', '/', '/emails/x?y=z', '/index.html', '/%zz', '/assets']) {
      const { status, headers, body } = await plain('GET', `/dashboard${path}`);
      expect(status).toBe(200);
      expect(body).toContain('<base href="/dashboard/" />');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
        ),
      });
    }
    expect((await plain('GET', '/dashboards')).status).toBe(404);
  });

  it('has cacheable files, compressed if possible', async () => {
    const { body } = await plain('GET', '/dashboard');
    const [, script] = /src="([^"]+\.js)"/.exec(body) ?? [];
    const { pathname: path } = new URL(script ?? '', `${host.url}/dashboard/`);
    const whole = await plain('GET', path);
    expect(whole.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(whole.headers['content-encoding']).toBeUndefined();
    const small = await plain('GET', path, { 'accept-encoding': 'gzip, br' });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(Number(small.headers['content-length'])).toBeLessThan(Number(whole.headers['content-length']));
    expect((await plain('GET', path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    expect((await plain('GET', '/dashboard/assets/none.js')).status).toBe(404);
    expect((await plain('GET', '/dashboard/assets/../index.html')).status).toBe(404);
  });

  it('answers HEAD as GET, and no other method', async () => {
    const head = await plain('HEAD', '/dashboard');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect(await plain('POST', '/dashboard')).toMatchObject({ status: 405, headers: { allow: expect.any(String) } });
  });

  it('is the target of redirects for browsers, and not for programs', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    expect(await plain('GET', '/', browser)).toMatchObject({ status: 303, headers: { location: '/dashboard/' } });
    expect((await plain('GET', '/', { accept: '*/*' })).status).not.toBe(303);
    expect((await plain('GET', '/')).status).not.toBe(303);
  });

  it('is at its configured path, or nowhere', async () => {
    const elsewhere = await startHost({ smtp: sink, env: { DASHBOARD_PATH: '/team/mail' } });
    const client = new DashboardClient(elsewhere, '/team/mail');
    const { headers } = await client.signIn({ token: elsewhere.token });
    expect(headers['set-cookie']?.[0]).toContain('; Path=/team/mail;');
    expect((await api(client)).status).toBe(200);
    expect((await client.ask('GET', '/')).text).toContain('<base href="/team/mail/" />');
    expect((await httpRequest(elsewhere.url, 'GET', '/dashboard')).status).toBe(404);
    const none = await startHost({ smtp: sink, env: { DASHBOARD_PATH: 'off' } });
    expect((await httpRequest(none.url, 'GET', '/dashboard')).status).toBe(404);
  });

  it('is logged without anything secret', async () => {
    const client = await DashboardClient.signedIn(host);
    const lines = () => host.output.split('\n').length;
    const before = lines();
    await plain('GET', '/dashboard/contacts/hidden@to.test?search=hidden');
    await client.ask('GET', '/api/topics?limit=1&secretquery=hidden');
    await client.signIn({ code: 'hiddencode' });
    await until(() => lines() >= before + 3);
    for (const secret of [host.token, client.pageToken, 'secretquery', 'hidden', ...client.cookies.values()]) {
      expect(host.output.split('\n').slice(1).join('\n')).not.toContain(secret);
    }
  });
});

describe('a link that signs in', () => {
  let local: RunningHost;
  const codeOf = ({ output }: RunningHost) => /#code=([\w-]+)/.exec(output)?.[1] ?? '';

  beforeAll(async () => {
    local = await startHost({ services: 'none' });
  });

  it('is for this machine alone, and is not used up by others', async () => {
    const code = codeOf(local);
    expect(code).toHaveLength(43);
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
      { host: 'rebound.example' },
    ]) {
      expect((await new DashboardClient(local).signIn({ code }, headers)).status).toBe(401);
    }
  });

  it('signs in once for concurrent attempts', async () => {
    const code = codeOf(local);
    const tries = Array.from({ length: 100 }, () => new DashboardClient(local).signIn({ code }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(99);
  });
});
