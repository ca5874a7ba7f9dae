import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { expectRefusal } from '../support/rules/refusals.js';

/** In everything that is content, and in nothing else. */
const SECRET = 'Kestrel4711';
const BASE64 = Buffer.from(`<p>${SECRET}</p>`).toString('base64');
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TOO_LOW = { status: 403, name: 'invalid_access', message: /^Your role `(viewer|support)` does not allow this/ };
const PAGE_KEY = { status: 401, name: 'restricted_api_key', message: 'This API key only opens the page.' };

let host: RunningHost;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  host = await startHost({ services: 'none' });
  const email = await post(host, 'to@to.test', {
    html: `<p>${SECRET}</p>`,
    text: SECRET,
    headers: { 'X-Code': SECRET },
    attachments: [{ filename: `${SECRET}.txt`, content: BASE64 }],
  });
  await untilShown(host, email, 'delivered');
  const make = async (path: string, body: object) => {
    const answer = await host.request<{ id: string }>('POST', path, { body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const template = await make('/templates', {
    name: 'Code',
    html: SECRET,
    text: SECRET,
    variables: [{ key: 'CODE', type: 'string', fallback_value: SECRET }],
  });
  const topic = await make('/topics', { name: 'News', default_subscription: 'opt_in' });
  const contact = await make('/contacts', { email: 'jane@to.test' });
  const suppression = await make('/suppressions', { email: 'gone@to.test' });
  const domain = await make('/domains', { name: 'page.example' });
  const { body } = await host.request<{ data: { id: string }[] }>('GET', `/emails/${email}/attachments`);
  ids = { email, template, topic, contact, suppression, domain, attachment: body.data[0]?.id ?? '' };
});

async function client(role: string): Promise<DashboardClient> {
  const { body } = await host.request<{ token: string }>('POST', '/api-keys', {
    body: { name: role, page_role: role },
  });
  return DashboardClient.signedIn(host, body.token);
}

/** Every route of the API that needs a key, with ids of this test in its path. */
async function operations(): Promise<{ method: string; path: string; name: string }[]> {
  const { body } = await host.request<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(
    'GET',
    '/openapi.json',
    { token: null },
  );
  return Object.entries(body.paths).flatMap(([path, methods]) => {
    const [, kind = ''] = path.split('/');
    const { email: emails, template: templates, topic: topics, contact: contacts, suppression: suppressions } = ids;
    const id = { emails, templates, topics, contacts, suppressions, domains: ids.domain }[kind];
    const real = path
      .replace('{attachment_id}', ids.attachment ?? '')
      .replace(/\{\w+\}/, id ?? '0198f0c1-0000-7000-8000-000000000000')
      .replaceAll(/\{\w+\}/g, '0198f0c1-0000-7000-8000-000000000000');
    return Object.entries(methods)
      .filter(([, { security }]) => security === undefined)
      .map(([method]) => ({ method: method.toUpperCase(), path: real, name: `${method.toUpperCase()} ${path}` }));
  });
}

const shows = (text: string) => text.includes(SECRET) || text.includes(BASE64);

/** Asks the page for what is not a route of the API. */
async function besideTheApi(visitor: DashboardClient) {
  const { body } = await visitor.ask<{ data: { id: string }[] }>('GET', '/inbox/messages');
  const message = body.data[0]?.id ?? '';
  const frame = { headers: { 'x-emails-page': undefined } };
  const asked = [
    ['GET', `/frames/emails/${ids.email}`, frame],
    ['GET', `/frames/inbox/${message}`, frame],
    ['POST', '/frames/template', { headers: { ...FORM, ...frame.headers }, body: `html=${SECRET}` }],
    ['GET', `/inbox/messages/${message}`],
    ['GET', `/inbox/messages/${message}/source`],
    ['GET', `/inbox/messages/${message}/source?download=1`],
    ['GET', `/inbox/messages/${message}/attachments/0`],
  ] as const;
  return Promise.all(asked.map(async ([method, path, more]) => visitor.ask(method, path, more)));
}

describe('a viewer', () => {
  it('is shown no content by any route, and changes nothing', async () => {
    const viewer = await client('viewer');
    const answered: string[] = [];
    for (const { method, path, name } of await operations()) {
      const answer = await viewer.ask(method, `/api${path}`, method === 'GET' ? {} : { body: {} });
      expect({ name, shows: shows(answer.text) }).toEqual({ name, shows: false });
      if (answer.status === 200) answered.push(name);
      else expectRefusal(answer, TOO_LOW);
    }
    expect(answered.sort()).toEqual([
      'GET /contacts',
      'GET /contacts/{id_or_email}',
      'GET /contacts/{id_or_email}/topics',
      'GET /domains',
      'GET /domains/{id}',
      'GET /emails',
      'GET /emails/count',
      'GET /emails/metrics',
      'GET /emails/{id}',
      'GET /emails/{id}/events',
      'GET /emails/{id}/recipients',
      'GET /suppressions',
      'GET /suppressions/{id_or_email}',
      'GET /templates',
      'GET /templates/{id_or_alias}',
      'GET /topics',
      'GET /topics/{id}',
    ]);
    for (const answer of await besideTheApi(viewer)) expectRefusal(answer, TOO_LOW);
    expect((await viewer.ask('GET', '/session')).body).toMatchObject({ signedIn: true, role: 'viewer' });
  });

  it('sees the list of the inbox, and removes nothing from it', async () => {
    const viewer = await client('viewer');
    const { status, text } = await viewer.ask('GET', '/inbox/messages');
    expect({ status, shows: shows(text) }).toEqual({ status: 200, shows: false });
    for (const path of ['/inbox/messages', '/inbox/messages/1']) {
      for (const visitor of [viewer, await client('support')]) {
        expectRefusal(await visitor.ask('DELETE', path), TOO_LOW);
      }
    }
  });
});

describe('support', () => {
  it('sees contents', async () => {
    const support = await client('support');
    for (const path of ['', '/source', `/attachments/${ids.attachment}`]) {
      const { status, text } = await support.ask('GET', `/api/emails/${ids.email}${path}`);
      expect({ path, status, shows: shows(text) }).toEqual({ path, status: 200, shows: true });
    }
    for (const { status, text } of await besideTheApi(support)) {
      expect({ status, shows: shows(text) }).toEqual({ status: 200, shows: true });
    }
  });

  it('cancels, retries, resends and shares emails, and changes nothing else', async () => {
    const support = await client('support');
    const allowed: string[] = [];
    for (const { method, path, name } of await operations()) {
      if (method === 'GET') continue;
      const answer = await support.ask(method, `/api${path}`, { body: {} });
      if (answer.status === 403) expectRefusal(answer, TOO_LOW);
      else allowed.push(name);
    }
    expect(allowed.sort()).toEqual([
      'POST /emails/actions',
      'POST /emails/{id}/cancel',
      'POST /emails/{id}/resend',
      'POST /emails/{id}/retry',
      'POST /emails/{id}/share',
    ]);
  });
});

describe('a key of the page', () => {
  it('opens the page, and no route of the API', async () => {
    const body = { name: 'helpdesk', page_role: 'support' };
    const { body: made } = await host.request<{ id: string; token: string }>('POST', '/api-keys', { body });
    for (const { method, path } of await operations()) {
      const answer = await host.request(method, path, { token: made.token, ...(method !== 'GET' && { body: {} }) });
      expectRefusal(answer, PAGE_KEY);
    }
    const { body: list } = await host.request<{ data: object[] }>('GET', '/api-keys');
    expect(list.data).toContainEqual(expect.objectContaining({ id: made.id, page_role: 'support' }));
    expect(list.data).toContainEqual(expect.objectContaining({ page_role: null }));
    const visitor = await DashboardClient.signedIn(host, made.token);
    await host.request('DELETE', `/api-keys/${made.id}`);
    expect((await visitor.ask('GET', '/api/emails')).status).toBe(401);
  });

  it.each([
    [{ page_role: 'admin' }, '`page_role` must be one of `viewer`, `support`.'],
    [{ page_role: 'viewer', permission: 'full_access' }, 'not both'],
    [{ page_role: 'viewer', permission: 'sending_access' }, 'not both'],
    [{ page_role: ['viewer'] }, '`page_role` must be one of'],
  ])('is not made of %j', async (fields, message) => {
    const answer = await host.request('POST', '/api-keys', { body: { name: 'x', ...fields } });
    expectRefusal(answer, { status: 422, name: 'validation_error', message });
  });

  it('is none with an empty role', async () => {
    const body = { name: 'x', page_role: '' };
    const { body: made } = await host.request<{ token: string }>('POST', '/api-keys', { body });
    expect((await host.request('GET', '/emails', { token: made.token })).status).toBe(200);
  });
});
