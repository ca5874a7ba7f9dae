import { eventually } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { FullHost } from '../support/hosts/full-host.js';
import { untilShown } from '../support/reading/deliveries.js';
import { httpRequest } from '../support/requests/http-request.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

describe('all modules in one host', () => {
  let sink: SmtpSink;
  let host: FullHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await FullHost.start(sink);
  });

  async function created(path: string, body: object): Promise<string> {
    const answer = await host.request<{ id: string }>('POST', path, { body });
    expect([200, 201]).toContain(answer.status);
    return answer.body.id;
  }

  it('send a template to recipients that did not opt out of a topic', async () => {
    const topic = await created('/topics', { name: 'News', default_subscription: 'opt_in' });
    await created('/contacts', { email: 'gone@to.test', topics: [{ id: topic, subscription: 'opt_out' }] });
    const variables = [{ key: 'NAME', type: 'string' }];
    const template = await created('/templates', {
      name: 'Welcome',
      subject: 'Welcome, {{NAME}}',
      html: '<p>{{NAME}}</p>',
      variables,
    });
    expect((await host.request('POST', `/templates/${template}/publish`)).status).toBe(200);
    const id = await created('/emails', {
      from: 'Sender <sender@from.test>',
      to: ['here@to.test', 'gone@to.test'],
      topic_id: topic,
      template: { id: template, variables: { NAME: 'Zoë' } },
    });
    await untilShown(host, id, 'delivered');
    const { envelope, raw } = await sink.waitFor((message) => message.raw.includes(`<${id}@`));
    expect(envelope.to).toEqual(['here@to.test']);
    expect(raw.toString()).not.toContain('gone@to.test');
  });

  it('have domains with keys of their own', async () => {
    const id = await created('/domains', { name: 'shop.example' });
    const { body } = await host.request<{ name: string; records: { record: string; value: string }[] }>(
      'GET',
      `/domains/${id}`,
    );
    expect(body.name).toBe('shop.example');
    expect(body.records).toEqual([
      expect.objectContaining({ record: 'DKIM', value: expect.stringMatching(/p=MIIBIjANBg/) }),
    ]);
    expect((await host.request('DELETE', `/domains/${id}`)).status).toBe(200);
  });

  it('show one entry with the times of its list', async () => {
    await created('/topics', { name: 'Times', default_subscription: 'opt_in' });
    await created('/contacts', { email: 'times@to.test' });
    await created('/templates', { name: 'Times', html: '<p>Hello</p>' });
    await created('/domains', { name: 'times.example' });
    for (const path of ['/topics', '/contacts', '/templates', '/domains']) {
      const { body } = await host.request<{ data: { id: string; created_at: string }[] }>('GET', path);
      const [{ id, created_at }] = body.data as [{ id: string; created_at: string }];
      expect(created_at).toMatch(/^20/);
      expect(await host.request('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: { id, created_at } });
    }
  });

  it('separate accounts: a key of another account finds nothing', async () => {
    const topic = await created('/topics', { name: 'Ours', default_subscription: 'opt_in' });
    const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body: { name: 'same account' } }))
      .body;
    expect((await host.request('GET', `/topics/${topic}`, { token })).status).toBe(200);
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      expect(await httpRequest(host.url, 'GET', path, { token: null })).toMatchObject({
        status: 401,
        body: { name: 'missing_api_key' },
      });
    }
    const forbidden = { body: { name: 'may send', permission: 'sending_access' } };
    const sender = (await host.request<{ token: string }>('POST', '/api-keys', forbidden)).body.token;
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      expect(await host.request('GET', path, { token: sender })).toMatchObject({
        status: 401,
        body: { name: 'restricted_api_key' },
      });
    }
    expect((await host.request('POST', '/emails', { token: sender, body: letter() })).status).toBe(200);
  });

  it('have a page with a sign-in by key, which uses their routes', async () => {
    const { origin } = new URL(host.url);
    const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
      httpRequest<Record<string, string>>(origin, method, `/dashboard${path}`, { headers, body, token: null });
    const page = await ask('GET', '/emails');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<base href="/dashboard/"') });
    const [, script] = /<script [^>]*src="\.\/([^"]+)"/.exec(page.text) ?? [];
    expect((await ask('GET', `/${script}`)).headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': expect.stringContaining('immutable'),
    });
    const own = { 'x-emails-page': '' };
    expect(await ask('GET', '/session', own)).toMatchObject({ status: 200, body: { signIn: 'key', signedIn: false } });
    const session = await ask('POST', '/session', own, { token: host.token });
    expect(session).toMatchObject({ status: 200, body: { signedIn: true, apiUrl: host.url } });
    const [cookie = ''] = session.headers['set-cookie'] ?? [];
    const signedIn = { cookie: cookie.split(';')[0] ?? '', 'x-emails-page': session.body.page_token ?? '' };
    const email = letter({ subject: 'By the page' });
    const sent = await ask('POST', '/api/emails', signedIn, email);
    expect(sent).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    // The email is delivered meanwhile, so two answers may differ once.
    await eventually(async () => {
      const listed = await ask('GET', '/api/emails?limit=1', signedIn);
      expect(listed.body).toEqual((await host.request('GET', '/emails?limit=1')).body);
    });
    expect((await ask('GET', '/api/emails', { 'x-emails-page': '' })).status).toBe(401);
    expect((await httpRequest(host.url, 'GET', '/emails', { token: null, headers: signedIn })).status).toBe(401);
  });

  it("have a page behind the host's own sign-in, although their routes ask for keys", async () => {
    const { accountId } = host;
    const ask = (method: string, path: string, headers: Record<string, string | undefined>, body?: object) =>
      httpRequest<Record<string, unknown>>(new URL(host.url).origin, method, `/staff/emails${path}`, {
        headers: { 'x-emails-page': 'any', ...headers },
        body,
        token: null,
      });
    const staff = { 'x-staff-account': accountId };
    expect(await ask('GET', '/session', staff)).toMatchObject({ body: { signIn: 'host', signedIn: true } });
    const sent = await ask('POST', '/api/emails', staff, letter({ subject: 'By the staff' }));
    expect(sent).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    expect(await host.request('GET', `/emails/${sent.body.id}`)).toMatchObject({ status: 200 });
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      expect((await ask('GET', `/api${path}`, staff)).status).toBe(200);
      expect((await ask('GET', `/api${path}`, {})).status).toBe(401);
      expect((await ask('GET', `/api${path}`, { ...staff, 'x-emails-page': undefined })).status).toBe(403);
      expect((await httpRequest(host.url, 'GET', path, { headers: staff, token: null })).status).toBe(401);
    }
  });

  it('are not affected by its pipes, and follow the contract', async () => {
    expect(await host.request('POST', '/topics', { body: { name: 'x', surplus: 1 } })).toMatchObject({
      status: 422,
      body: { statusCode: 422, name: 'validation_error', message: expect.stringContaining('`surplus`') },
    });
    expect(await host.request('GET', '/contacts?limit=0')).toMatchObject({ status: 422 });
    const email = "o'neil&co@to.test";
    await created('/contacts', { email });
    expect(await host.request('GET', `/contacts/${email}`)).toMatchObject({ status: 200, body: { email } });
  });
});

it('all modules share one limit of requests', async () => {
  const host = await FullHost.start(await SmtpSink.start(), { RATE_LIMIT: '2' });
  const paths = ['/topics', '/contacts', '/templates', '/api-keys', '/emails'];
  const answers = await Promise.all([...paths, ...paths].map((path) => host.request('GET', path)));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(6);
});

it("one module alone, and its page, is behind the host's own guard, whose users are accounts", async () => {
  const host = await FullHost.start(await SmtpSink.start(), { ONLY: 'contacts' });
  const ofPage = (method: string, path: string, headers: Record<string, string | undefined> = {}) =>
    httpRequest<Record<string, unknown>>(new URL(host.url).origin, method, `/people/page${path}`, {
      headers: { 'x-user': 'jane', 'x-emails-page': 'any', ...headers },
      token: null,
    });
  const { body } = await host.request('POST', '/contacts', { body: { email: 'friend@to.test' } });
  expect(body).toMatchObject({ object: 'contact' });
  const listed = async (user: string | undefined) =>
    host.request<{ data: object[] }>('GET', '/contacts', { headers: { 'x-user': user } });
  expect((await listed('jane')).body.data).toHaveLength(1);
  expect((await listed('joe')).body.data).toEqual([]);
  expect(await listed(undefined)).toMatchObject({ status: 401, body: { statusCode: 401 } });
  expect((await host.request('GET', '/emails')).status).toBe(404);
  expect(await ofPage('GET', '/session', { 'x-user': undefined })).toMatchObject({ body: { signedIn: false } });
  expect(await ofPage('GET', '/session')).toMatchObject({ body: { signIn: 'host', signedIn: true } });
  expect((await ofPage('GET', '/session')).body.features).toMatchObject({
    contacts: true,
    emails: false,
    domains: false,
  });
  expect(await ofPage('GET', '/api/contacts')).toMatchObject({
    status: 200,
    body: { data: [{ email: 'friend@to.test' }] },
  });
  expect((await ofPage('GET', '/api/contacts', { 'x-user': undefined })).status).toBe(401);
  expect((await ofPage('GET', '/api/emails')).status).toBe(404);
});
