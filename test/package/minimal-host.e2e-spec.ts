import { until } from '../support/basics/wait-for.js';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { prepareHost } from '../support/hosts/host.js';
import { runScript, spawnScript } from '../support/hosts/host-process.js';
import { hasPostgresQueue } from '../support/jest/test-environment.js';
import { untilShown } from '../support/reading/deliveries.js';
import { footprint } from '../support/reading/footprint.js';
import { httpRequest } from '../support/requests/http-request.js';

const TOPIC = '0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11';

let api: ContractHost;

beforeAll(async () => {
  api = await ContractHost.start({ env: { SMTP_HOP: 'final' } });
});

describe("the library's routes in a stranger's application", () => {
  it('are below its prefix and version, and nowhere else', async () => {
    const { origin } = new URL(api.host.url);
    expect((await api.host.request('GET', '/emails')).status).toBe(200);
    expect((await api.host.request('GET', '//emails')).status).toBe(200);
    for (const path of ['/emails', '/api/emails', '/v1/emails']) {
      expect((await httpRequest(origin, 'GET', path, { token: api.host.token })).status).toBe(404);
    }
  });

  it('are not affected by its pipes', async () => {
    const text = '  two spaces before and after  ';
    const id = await api.accept({ text, tags: [{ name: 'a', value: 'b' }], headers: { 'X-A': 'b' } });
    expect(await api.record(id)).toMatchObject({ text, to: ['to@to.test'] });
  });

  it('are not affected by its filter', async () => {
    await api.refuse({ to: undefined }, { status: 422, name: 'missing_required_field', message: /`to`/ });
    const request = { body: letter(), token: null };
    await api.refuseRequest('POST', '/emails', request, { status: 401, name: 'missing_api_key', message: /API key/ });
    await api.refuseRequest('PUT', '/emails', {}, { status: 405, name: 'method_not_allowed', message: /GET, POST/ });
  });

  it('do not affect its own routes', async () => {
    expect((await api.host.request('POST', '//subscribers', { body: {} })).status).toBe(404);
    const answer = await api.host.request('POST', '/subscribers', { body: { address: 'nobody' } });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });
});

describe("the library's class in a controller of the host", () => {
  const send = (fields: object, headers = {}) =>
    api.host.request<{ id: string; title: string }>('POST', '/letters', { body: letter(fields), headers });

  it('accepts the same as its route, in all spellings', async () => {
    const fields = {
      to: 'to@to.test',
      cc: null,
      headers: { 'X-Number': 7 },
      tags: { a: 'b' },
      attachments: [{ content: 'YQ==', filename: 'a.txt', contentType: 'text/plain', inlineContentId: 'cid:logo' }],
    };
    const { status, body } = await send(fields);
    expect(status).toBe(201);
    expect(await api.record(body.id)).toMatchObject({ to: ['to@to.test'], cc: [] });
    const { raw } = await api.sink.waitFor(({ raw }) => raw.includes(`<${body.id}@`));
    expect(raw.toString()).toMatch(/^X-Number: 7$/m);
    expect(raw.toString()).toContain('Content-ID: <logo>');
  });

  it.each([
    [{ to: 'nobody' }],
    [{ to: [] }],
    [{ tags: [{ name: 'a b' }] }],
    [{ attachments: [{ contentType: 'a/b', content_type: 'c/d', content: 'YQ==' }] }],
    [{ template: [], html: 7 }],
  ])('refuses %j', async (fields) => {
    expect((await send(fields)).status).toBe(400);
  });

  it('finds the key of a request', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [one, other] = [await send({}, headers), await send({}, headers)];
    expect(one.body.id).toBe(other.body.id);
  });
});

describe('a row of the host and an email', () => {
  const subscribe = (address: string) =>
    api.host.request<{ welcome: string }>('POST', '/subscribers', { body: { address } });

  it('are created together, from a template of the host', async () => {
    const { status, body } = await subscribe(' jane@to.test ');
    expect(status).toBe(201);
    const { raw } = await api.sink.waitFor(({ raw }) => raw.includes(`<${body.welcome}@`));
    expect(raw.toString()).toContain('Subject: Welcome, jane@to.test');
    expect(await api.host.query('SELECT * FROM public.emails')).toEqual([
      { account: 'default', address: 'jane@to.test' },
    ]);
  });

  it('or not at all', async () => {
    const before = await footprint(api.host);
    expect((await subscribe('jane@to.test')).status).toBe(409);
    expect(await footprint(api.host)).toEqual(before);
  });
});

describe("the host's topics", () => {
  it('decide at delivery', async () => {
    const allowed = await api.accept({ topic_id: TOPIC });
    const refused = await api.accept({ topic_id: TOPIC, to: 'gone@example.com' });
    await untilShown(api.host, allowed, 'delivered');
    await untilShown(api.host, refused, 'failed');
  });

  it('are the only ones', async () => {
    const topic_id = '11111111-1111-4111-8111-111111111111';
    await api.refuse({ topic_id }, { status: 422, name: 'validation_error', message: /topic_id/ });
  });
});

/** Two queues, without a sweep that would find missed emails. */
const SHARDS = { QUEUE_SHARDS: '2', SWEEP_SECONDS: '600', SMTP_HOP: 'final' };

/** Accepts and delivers for accounts of both queues. */
async function usesBothQueues(host: ContractHost): Promise<void> {
  const accounts = [host.host.token];
  for (const name of ['in the second queue', 'in the second as well', 'in the first']) {
    accounts.push((await host.host.account(name)).token);
  }
  for (const token of accounts) {
    const id = await host.accept({}, { token });
    await host.sink.waitFor(({ raw }) => raw.includes(`<${id}@`));
  }
}

it('has separate workers, without HTTP', async () => {
  const alone = await ContractHost.start({ role: 'api', env: SHARDS });
  const id = await alone.accept();
  const worker = spawnScript('worker', [], alone.host.env);
  await untilShown(alone.host, id, 'delivered');
  await usesBothQueues(alone);
  await worker.stop('SIGTERM');
});

const elsewhere = { env: { ...SHARDS, REDIS_URL: undefined } };

async function deliversFromPostgres(): Promise<void> {
  const inPostgres = await ContractHost.start(elsewhere);
  await usesBothQueues(inPostgres);
  await until(async () => (await inPostgres.host.query("SELECT FROM pg_namespace WHERE nspname = 'bullmq'")).length);
}

async function refusesPostgres(): Promise<void> {
  const host = await prepareHost(elsewhere);
  const { code, output } = await runScript('main', [], host.env);
  expect(code).not.toBe(0);
  expect(output).toContain('A queue in PostgreSQL needs BullMQ 6');
}

it('has its queue in PostgreSQL as well, or reports that its BullMQ does not support it', () =>
  hasPostgresQueue() ? deliversFromPostgres() : refusesPostgres());
