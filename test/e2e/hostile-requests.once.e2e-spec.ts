import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { holds } from '../support/jest/property.js';
import type { Answer, RequestOptions } from '../support/requests/http-request.js';
import {
  bare,
  encoded,
  HOSTILE_TEXTS,
  hostileText,
  hostileValue,
  mutated,
  toJson,
} from '../support/rules/hostile-values.js';

const ID = '0198f0c1-0000-7000-8000-000000000000';

/** All routes with a body, each with a valid one. */
const BODIES: readonly (readonly [method: string, path: string, body: object])[] = [
  [
    'POST',
    '/emails',
    letter({
      to: ['a@to.test', 'B <b@to.test>'],
      cc: 'c@to.test',
      bcc: ['d@to.test'],
      reply_to: 'e@to.test',
      html: '<p>x</p>',
      headers: { 'X-A': 'b' },
      scheduled_at: '2099-01-01T00:00:00Z',
      attachments: [
        { filename: 'a.txt', content: 'YQ==', content_type: 'text/plain', content_id: 'a' },
        { filename: 'b', content: [97] },
        { filename: 'c', content: { type: 'Buffer', data: [97] } },
      ],
      tags: [{ name: 'a', value: 'b' }],
    }),
  ],
  [
    'POST',
    '/emails',
    { ...letter({ text: undefined }), template: { id: 'welcome', variables: { NAME: 'x', AGE: 7 } } },
  ],
  ['POST', '/emails', letter({ topic_id: ID, scheduled_at: '2099-01-01T00:00:00Z' })],
  ['POST', '/topics', { name: 'News', description: 'x', default_subscription: 'opt_in', visibility: 'public' }],
  ['PATCH', `/topics/${ID}`, { id: ID, topic_id: ID, name: 'News', description: 'x', visibility: 'public' }],
  [
    'POST',
    '/contacts',
    { email: 'a@b.test', first_name: 'A', unsubscribed: false, topics: [], properties: { plan: 'x', seats: 1 } },
  ],
  [
    'PATCH',
    '/contacts/a@b.test',
    {
      id: '',
      email: 'A@b.test',
      first_name: 'A',
      last_name: 'B',
      unsubscribed: true,
      properties: { plan: null, n: 1 },
    },
  ],
  ['PATCH', '/contacts/a@b.test/topics', { topics: [{ id: ID, subscription: 'opt_in' }] }],
  ['PATCH', '/contacts/a@b.test/topics', [{ id: ID, subscription: 'opt_in' }]],
  [
    'POST',
    '/templates',
    {
      name: 'T',
      alias: 'welcome',
      from: 'a@b.test',
      subject: '{{NAME}}',
      reply_to: ['a@b.test'],
      html: '{{{NAME}}}',
      text: 'x',
      variables: [{ key: 'NAME', type: 'string', fallback_value: 'x' }],
    },
  ],
  ['PATCH', '/templates/welcome', { name: 'T', html: 'x', variables: [{ key: 'AGE', type: 'number' }] }],
  ['POST', '/templates/welcome/publish', {}],
  ['POST', '/templates/welcome/duplicate', {}],
  ['POST', '/api-keys', { name: 'key', permission: 'sending_access' }],
  ['PATCH', `/api-keys/${ID}`, { name: 'key', api_key_id: ID }],
];

/** All lists, and the other kinds of paths. */
const LISTS = ['/emails', '/topics', '/contacts', '/contacts/a@b.test/topics', '/templates', '/api-keys'];
const OBJECTS = ['/topics/', '/contacts/', '/templates/', '/api-keys/', '/emails/', '/health/', '/inbox/', '/'];

/** Every request with any content gets an answer by the rules, in the one shape, and never causes a server error. */
describe('any request', () => {
  let api: ContractHost;
  let pid: number | undefined;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { LOG_LEVEL: 'error' } });
    pid = api.host.pid;
    await api.host.request('POST', '/contacts', { body: { email: 'a@b.test' } });
    const template = { name: 'T', alias: 'welcome', subject: '{{NAME}}', html: '{{{NAME}}}' };
    await api.host.request('POST', '/templates', { body: template });
    await api.host.request('POST', '/templates/welcome/publish');
  });

  async function send(method: string, path: string, options: RequestOptions = {}): Promise<void> {
    const answer = await api.host.request(method, path, options);
    try {
      expectAnswer(answer);
    } catch (error) {
      throw new Error(`${method} ${path} answers ${answer.status}: ${answer.text.slice(0, 300)}`, { cause: error });
    }
  }

  it.each(BODIES)('%s %s answers, with any value at one position of its body', async (method, path, body) => {
    await holds(
      fc.asyncProperty(mutated(body), (text) => send(method, path, { body: text })),
      60,
    );
  });

  it('answers any body, anywhere', async () => {
    const route = fc.constantFrom(...BODIES.map(([method, path]) => [method, path] as const));
    const text = fc.oneof(
      hostileValue.map(toJson),
      hostileText,
      fc.json(),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    );
    await holds(
      fc.asyncProperty(route, text, ([method, path], body) => send(method, path, { body })),
      300,
    );
  });

  it('answers JSON that is cut short, doubled, or has a field twice', async () => {
    const whole = fc.constantFrom(...BODIES).map(([method, path, body]) => ({ method, path, text: toJson(body) }));
    await holds(
      fc.asyncProperty(whole, fc.nat(), fc.nat(3), ({ method, path, text }, at, kind) => {
        const bytes = Buffer.from(text);
        const cut = at % (bytes.length + 1);
        const body = [
          bytes.subarray(0, cut),
          Buffer.concat([bytes, bytes.subarray(cut)]),
          Buffer.concat([bytes.subarray(0, cut), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(cut)]),
          `{"a":1,"a":${text},${text.slice(1)}`,
        ][kind];
        return send(method, path, { body });
      }),
      150,
    );
  });

  it('answers any query of a list', async () => {
    const name = fc.constantFrom(
      'limit',
      'after',
      'before',
      'limit[]',
      'limit[a]',
      'after[]',
      'LIMIT',
      '__proto__',
      '',
    );
    const value = fc.oneof(hostileText, fc.constantFrom('5', '0', '-1', '0x10', '1e2', '٣', '+5', ' 5', ID, `{${ID}}`));
    await holds(
      fc.asyncProperty(
        fc.constantFrom(...LISTS),
        fc.array(fc.tuple(name, value, fc.constantFrom(encoded, bare)), { maxLength: 4 }),
        (path, pairs) =>
          send('GET', `${path}?${pairs.map(([key, text, encode]) => `${encode(key)}=${encode(text)}`).join('&')}`),
      ),
      200,
    );
  });

  it('answers any path', async () => {
    const part = fc.oneof(
      hostileText.map(encoded),
      hostileText.map(bare),
      fc.constantFrom('%', '%ff', '%c0%80', '%2e%2e%2f', '..', '//', ';x', '#x', '\u00a0', ID, ID.toUpperCase()),
    );
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE');
    const body = fc.constantFrom({ body: {} }, {});
    await holds(
      fc.asyncProperty(
        method,
        fc.constantFrom(...OBJECTS),
        fc.array(part, { maxLength: 3 }),
        body,
        (verb, path, parts, options) => send(verb, `${path}${parts.join('/')}`, verb === 'GET' ? {} : options),
      ),
      300,
    );
  });

  it('answers any value of any header that it reads', async () => {
    const header = fc.constantFrom(
      ...['idempotency-key', 'content-type', 'content-encoding', 'authorization', 'accept', 'accept-encoding', 'range'],
      ...['x-forwarded-for', 'x-request-id', 'x-http-method-override', 'origin', 'cookie', 'te', 'if-none-match'],
    );
    // Node's client refuses to send what its server would refuse to read: see `hostile-connections`.
    const value = fc.oneof(hostileText, fc.constantFrom('gzip', 'Bearer ', 'application/json; charset=utf-16', '*/*'));
    await holds(
      fc.asyncProperty(header, value, fc.constantFrom('GET', 'POST'), (name, text, method) => {
        const fields = { scheduled_at: '2099-01-01T00:00:00Z' };
        const headers = { [name]: [...Buffer.from(text).toString('latin1')].filter(isFieldValue).join('') };
        return send(method, '/emails', { headers, ...(method === 'POST' && { body: letter(fields) }) });
      }),
      250,
    );
  });

  it('accepts any valid idempotency key unchanged', async () => {
    const sendable = HOSTILE_TEXTS.map((text) => Buffer.from(text).toString('latin1')).filter(isFieldValue);
    for (const text of sendable) {
      const options = {
        body: letter({ scheduled_at: '2099-01-01T00:00:00Z' }),
        headers: { 'idempotency-key': `${randomUUID()}${text}-` },
      };
      const first = await api.host.request<{ id: string }>('POST', '/emails', options);
      const second = await api.host.request<{ id: string }>('POST', '/emails', options);
      expect([text, first.status, second.status, second.body.id]).toEqual([text, 200, 200, first.body.id]);
    }
  });

  it('leaves the host working', async () => {
    await api.deliver({ subject: 'Still here' });
    expect(api.host.pid).toBe(pid);
    expect(api.host.output.replace(/^[\s\S]*Send an email:.*\n.*\n/, '')).not.toMatch(/"level":"(error|fatal)"/);
  });
});

/** RFC 9110 section 5.5, restricted to values that Node's client sends. */
function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** An answer of the contract, section 1: a refusal has one shape, without server errors. */
function expectAnswer({ status, headers, body, text }: Answer<unknown>): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (text === '') return;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status < 400) {
    expect(body).not.toHaveProperty('statusCode');
    return;
  }
  expect(body).toEqual({ statusCode: status, name: expect.any(String), message: expect.any(String) });
  expect(text.length).toBeLessThan(1_000);
}
