import { eventually } from '../support/basics/wait-for.js';
import { ContractHost, letter, type Refusal } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { hostKind } from '../support/jest/test-environment.js';
import { footprint } from '../support/reading/footprint.js';
import { type Answer, httpRequest, type RequestOptions } from '../support/requests/http-request.js';
import { startPostgresProxy } from '../support/servers/postgres.js';

const CONFLICT: Refusal = { status: 409, name: 'invalid_idempotent_request', message: /Idempotency-Key/ };
const WRONG_KEY: Refusal = { status: 400, name: 'invalid_idempotency_key', message: /between 1 and 256 characters/ };

let api: ContractHost;
let keys = 0;

beforeAll(async () => {
  api = await ContractHost.start();
});

const freshKey = () => `key-${keys++}`;
const withKey = (key: string): RequestOptions => ({ headers: { 'idempotency-key': key } });

const send = (key: string, options: RequestOptions = {}): Promise<Answer<Record<string, unknown>>> =>
  api.host.request('POST', '/emails', { body: letter(), ...withKey(key), ...options });

async function expectReplay(key: string, id: string, options: RequestOptions = {}): Promise<void> {
  const { status, body, headers } = await send(key, options);
  expect({ status, body }).toEqual({ status: 200, body: { id } });
  expect(headers['idempotent-replayed']).toBe('true');
}

/** Emails with this subject. */
async function countOf(subject: string): Promise<number> {
  const rows = await api.host.query('SELECT id FROM nestjs_emails.emails WHERE subject = $1', [subject]);
  return rows.length;
}

const expire = (key: string) =>
  api.host.query(
    `UPDATE nestjs_emails.idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1 RETURNING key`,
    [key],
  );

/** Contract 2.4. */
describe('an idempotency key', () => {
  it('repeats the first answer, marked, and sends nothing again', async () => {
    const key = freshKey();
    const first = await send(key);
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const { id } = first.body as { id: string };
    await api.sink.waitFor(({ raw }) => raw.includes(id));
    const before = await footprint(api.host);
    await expectReplay(key, id);
    await expectReplay(key, id);
    expect(await footprint(api.host)).toEqual(before);
    await api.deliver();
    expect(api.sink.offered.filter(({ raw }) => raw.includes(id))).toHaveLength(1);
  });

  it('is not needed: without one, the same request twice makes two emails', async () => {
    expect(await api.accept()).not.toBe(await api.accept());
  });

  const file = Buffer.from([0, 1, 254, 255]);
  const written = {
    from: 'Sender <sender@from.test>',
    to: ['to@to.test'],
    subject: 'Grüße',
    html: '<p>a</p>',
    headers: { 'X-A': '1', 'X-B': '2' },
    tags: [{ name: 'n', value: 'v' }],
    attachments: [{ filename: 'a.bin', content: file.toString('base64') }],
  };

  it.each<[string, unknown]>([
    ['the same text', JSON.stringify(written)],
    ['white space', JSON.stringify(written, null, 4)],
    ['the order of keys', Object.fromEntries(Object.entries(written).reverse())],
    [
      'the order of keys inside',
      { ...written, headers: { 'X-B': '2', 'X-A': '1' }, tags: [{ value: 'v', name: 'n' }] },
    ],
    ['escapes', JSON.stringify(written).replace('ü', '\\u00fc').replace('to@', '\\u0074o@')],
    ['one recipient as a string', { ...written, to: 'to@to.test' }],
    ['empty fields', { ...written, cc: [], bcc: null, scheduled_at: '', text: null }],
    ['tags as an object', { ...written, tags: { n: 'v' } }],
    ['a number in a header', { ...written, headers: { 'X-A': 1, 'X-B': '2' } }],
    ['content as bytes', { ...written, attachments: [{ filename: 'a.bin', content: [...file] }] }],
    ['content as a Buffer', { ...written, attachments: [{ content: file.toJSON(), filename: 'a.bin' }] }],
  ])('ignores a difference in %s', async (_, body) => {
    const key = freshKey();
    const first = await send(key, { body: written });
    expect(first.status).toBe(200);
    await expectReplay(key, (first.body as { id: string }).id, { body });
  });

  it.each<[string, object]>([
    ['subject', { subject: 'Hello!' }],
    ['from', { from: 'sender@from.test' }],
    ['a further recipient', { to: ['to@to.test', 'two@to.test'] }],
    ['cc for to', { to: 'two@to.test', cc: 'to@to.test' }],
    ['html', { html: '<p>' }],
    ['an empty text', { text: '' }],
    ['no text', { text: undefined }],
    ['a header', { headers: { 'X-A': '1' } }],
    ['a tag', { tags: [{ name: 'a', value: 'b' }] }],
    ['a time', { scheduled_at: '2096-01-01T00:00:00Z' }],
    ['an attachment', { attachments: [{ filename: 'a', content: 'YQ==' }] }],
  ])('answers another request, by %s, with 409', async (_, fields) => {
    const key = freshKey();
    const { body } = await send(key);
    await api.refuse(fields, CONFLICT, withKey(key));
    await expectReplay(key, (body as { id: string }).id);
  });

  it.each([
    ['of one character', () => 'k'],
    ['of 256 characters', () => 'k'.repeat(256)],
    ['of all kinds of characters', () => '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ 0aZ'],
  ])('%s is accepted', async (_, make) => {
    const { status, body } = await send(make());
    expect(status).toBe(200);
    await expectReplay(make(), (body as { id: string }).id);
    expect((await send(make().replace(/[a-z!]/, 'X'))).body).not.toEqual(body);
  });

  it.each([
    ['empty', ''],
    ['nothing but space', '  '],
    ['257 characters long', 'k'.repeat(257)],
    ['5,000 characters long', 'k'.repeat(5_000)],
  ])('that is %s is refused', async (_, key) => {
    await api.refuse({}, WRONG_KEY, withKey(key));
  });

  it('belongs to its account', async () => {
    const { token } = await api.host.account(`other-${freshKey()}`);
    const key = freshKey();
    const [ours, theirs] = [await send(key), await send(key, { token, body: letter({ subject: 'Theirs' }) })];
    expect([ours.status, theirs.status]).toEqual([200, 200]);
    expect(theirs.headers).not.toHaveProperty('idempotent-replayed');
    expect(theirs.body).not.toEqual(ours.body);
    await expectReplay(key, (ours.body as { id: string }).id);
  });

  it('belongs to its endpoint', async () => {
    const key = freshKey();
    const [path, body] =
      hostKind() === 'ours' ? ['/api-keys', { name: 'a' }] : ['/subscribers', { address: 'jane@to.test' }];
    const created = await api.host.request('POST', path, { body, ...withKey(key) });
    expect(created.status).toBe(201);
    expect((await send(key)).status).toBe(200);
  });

  it.each<[string, RequestOptions]>([
    ['a rule (422)', { body: letter({ to: 'nobody' }) }],
    ['its form (400)', { body: '{' }],
    ['its type (415)', { body: 'a=b', headers: { 'content-type': 'text/plain' } }],
    ['its caller (401)', { body: letter(), token: null }],
  ])('is not used up by a request that is refused for %s', async (_, { headers, ...options }) => {
    const key = freshKey();
    const { status } = await send(key, { ...options, headers: { 'idempotency-key': key, ...headers } });
    expect(status).toBeGreaterThanOrEqual(400);
    const { status: second, headers: answered } = await send(key, { body: letter({ subject: 'In order' }) });
    expect(second).toBe(200);
    expect(answered).not.toHaveProperty('idempotent-replayed');
  });

  it('is kept for 24 hours', async () => {
    const key = freshKey();
    await send(key);
    const rows = await api.host.query<{ hours: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS hours
       FROM nestjs_emails.idempotency_keys WHERE key = $1`,
      [key],
    );
    expect(rows).toEqual([{ hours: expect.closeTo(24, 1) }]);
  });

  it('is new again after it has expired', async () => {
    const key = freshKey();
    const first = await send(key);
    expect(await expire(key)).toHaveLength(1);
    const second = await send(key, { body: letter({ subject: 'Another' }) });
    expect(second.status).toBe(200);
    expect(second.body).not.toEqual(first.body);
    await expectReplay(key, (second.body as { id: string }).id, { body: letter({ subject: 'Another' }) });
  });
});

describe('100 parallel calls with one key', () => {
  let second: RunningHost;

  beforeAll(async () => {
    second = await startHost({ smtp: api.sink, beside: api.host });
  });

  afterAll(() => second.stop());

  const call = (at: number, key: string, body: object) =>
    httpRequest<{ id: string }>(at % 2 ? second.url : api.host.url, 'POST', '/emails', {
      token: api.host.token,
      body,
      ...withKey(key),
    });
  const hundred = <T>(make: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 100 }, (_, at) => make(at)));

  it('and one request, at two processes, all get the same id, and one email exists', async () => {
    const key = freshKey();
    const answers = await hundred((at) => call(at, key, letter({ subject: 'Only once' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    const [id, ...others] = new Set(answers.map(({ body }) => body.id));
    expect(others).toEqual([]);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect(await countOf('Only once')).toBe(1);
    await api.deliver();
    expect(api.sink.offered.filter(({ raw }) => raw.includes(id!))).toHaveLength(1);
  });

  it('and 100 requests make one email, and 99 conflicts', async () => {
    const key = freshKey();
    const answers = await hundred((at) => call(at, key, letter({ subject: 'One of many', text: `${at}` })));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    expect(await countOf('One of many')).toBe(1);
  });

  it('and as many keys make as many emails', async () => {
    const answers = await hundred((at) => call(at, `many-${at}`, letter({ subject: 'Each its own' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(100);
    expect(answers.filter(({ headers }) => 'idempotent-replayed' in headers)).toEqual([]);
    expect(await countOf('Each its own')).toBe(100);
  });
});

describe('an idempotency key survives', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('%s', async (signal) => {
    const key = freshKey();
    const { body } = await send(key);
    await api.host.stop(signal);
    await api.host.restart();
    await expectReplay(key, (body as { id: string }).id);
    await api.refuse({ subject: 'Other' }, CONFLICT, withKey(key));
  });

  it('a crash in the middle of 50 calls: there is one email, for any answered call', async () => {
    const key = freshKey();
    const body = letter({ subject: 'Crash' });
    const calls = Array.from({ length: 50 }, () => send(key, { body }).catch(() => undefined));
    await Promise.race([...calls, eventually(async () => expect(await countOf('Crash')).toBe(1), { interval: 1 })]);
    await api.host.kill();
    const told = (await Promise.all(calls)).flatMap((answer) => (answer?.status === 200 ? [answer.body.id] : []));
    await api.host.restart();
    const { status, body: answer } = await send(key, { body });
    expect(status).toBe(200);
    expect([...new Set([...told, answer.id])]).toEqual([answer.id]);
    expect(await countOf('Crash')).toBe(1);
  });

  it('the cleanup while it is valid, and not longer', async () => {
    const [old, young] = [freshKey(), freshKey()];
    await send(old);
    const { body } = await send(young);
    await expire(old);
    await api.host.restart();
    await eventually(async () => {
      const rows = await api.host.query('SELECT key FROM nestjs_emails.idempotency_keys WHERE key = $1', [old]);
      expect(rows).toEqual([]);
    });
    await expectReplay(young, (body as { id: string }).id);
  });
});

it('an idempotency key is not used up by a 503', async () => {
  const proxy = await startPostgresProxy();
  const away = await ContractHost.start({ postgresProxy: proxy });
  await proxy.refuse();
  const body = letter({ subject: 'Away' });
  const refused = await away.host.request('POST', '/emails', { body, ...withKey('away') });
  expect(refused.status).toBe(503);
  await proxy.restore();
  await eventually(() => away.accept({ subject: 'Back' }, withKey('away')));
  expect(await away.host.query('SELECT subject FROM nestjs_emails.emails')).toEqual([{ subject: 'Back' }]);
});
