import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { expectRefused, invalid, missing, NOT_FOUND } from '../support/rules/refusals.js';
import { FileServer } from '../support/servers/file-server.js';

const NIL = '00000000-0000-0000-0000-000000000000';
/** Without what workers write: leases, and logs of deleted webhooks. */
const TABLES = [
  '(SELECT id, status FROM nestjs_emails.webhooks)',
  `(SELECT webhook_id, seq, replays FROM nestjs_emails.webhook_events
    WHERE webhook_id IN (SELECT id FROM nestjs_emails.webhooks))`,
];

interface Logged {
  id: string;
  type: string;
  status: string;
  attempts: number;
  email_id: string | null;
  recipient: string | null;
}
interface Replayed {
  replayed: number;
  has_more: boolean;
  last: string | null;
}

let host: RunningHost;
let receiver: FileServer;
let token: string;
/** Answers of the receiver, and what it got. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let got: { id: string; body: string }[];

beforeAll(async () => {
  receiver = await FileServer.start();
  receiver.routes['/hooks'] = (request, response) => {
    void text(request).then((body) => {
      got.push({ id: String(request.headers['svix-id']), body });
      answer(request, response);
    });
  };
  host = await startHost({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', RATE_LIMIT_PER_SECOND: '1000' } });
  token = host.token;
});

beforeEach(() => {
  got = [];
  answer = (_, response) => response.writeHead(200).end();
});

const call = async <T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> =>
  host.request<T>(method, path, { token, ...(body !== undefined && { body }) });

async function make(events: string[] = ['email.scheduled']): Promise<string> {
  for (const { id } of (await call<{ data: { id: string }[] }>('GET', '/webhooks')).body.data)
    await call('DELETE', `/webhooks/${id}`);
  const { status, body } = await call<{ id: string }>('POST', '/webhooks', {
    endpoint: `${receiver.url}/hooks`,
    events,
  });
  expect(status).toBe(201);
  return body.id;
}

const log = async (id: string, query = '?limit=100') =>
  (await call<{ data: Logged[] }>('GET', `/webhooks/${id}/events${query}`)).body.data;

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function happen(to: string | string[]): Promise<string> {
  const body = { from: 'a@from.test', to, subject: 'Later', text: 'x', scheduled_at: tomorrow() };
  const { status, body: made } = await call<{ id: string }>('POST', '/emails', body);
  expect(status).toBe(200);
  return made.id;
}

/** Writes failed events, one an hour, the newest an hour ago. They share the payload of the log's first event. */
const fail = (id: string, count: number, letter = '0') =>
  host.query(
    `INSERT INTO nestjs_emails.webhook_events
       (webhook_id, account_id, event_id, type, created_at, payload_id, due_at, status, attempts)
     SELECT e.webhook_id, e.account_id, 'msg_' || $3 || lpad(n::text, 26, '0'), e.type, now() - n * interval '1 hour',
       e.payload_id, NULL, 'failed', 8
     FROM (SELECT * FROM nestjs_emails.webhook_events WHERE webhook_id = $1 LIMIT 1) AS e, generate_series($2::int, 1, -1) AS n`,
    [id, count, letter],
  );

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('a row of the log', () => {
  it('has the email, its only recipient and the number of requests', async () => {
    const id = await make();
    const one = await happen('Jane <jane@to.test>');
    const two = await happen(['jane@to.test', 'joe@to.test']);
    await until(async () => (await log(id)).filter(({ status }) => status === 'success').length === 2);
    const row = { type: 'email.scheduled', status: 'success', attempts: 1 };
    expect(await log(id)).toEqual([
      expect.objectContaining({ ...row, email_id: two, recipient: null }),
      expect.objectContaining({ ...row, email_id: one, recipient: 'Jane <jane@to.test>' }),
    ]);
    const [, first] = await log(id);
    expect((await call('GET', `/webhooks/${id}/events/${first?.id}`)).body).toMatchObject({
      email_id: one,
      attempts: 1,
    });
  });

  it('names no erased person', async () => {
    const id = await make();
    await happen('erased@to.test');
    await until(async () => (await log(id))[0]?.recipient === 'erased@to.test');
    const { body } = await call<{ id: string }>('POST', '/erasures', { email: 'erased@to.test' });
    await until(async () => (await call<{ status: string }>('GET', `/erasures/${body.id}`)).body.status === 'finished');
    const [row] = await log(id);
    expect(row?.recipient).toMatch(/^erased@/);
    expect(row?.recipient).not.toContain('to.test');
  });
});

describe('a test event', () => {
  it('is sent like any other, signed, and about no email', async () => {
    const id = await make(['email.opened', 'email.bounced', 'contact.created']);
    const { status, body } = await call<{ id: string }>('POST', `/webhooks/${id}/test`, {});
    expect([status, body]).toEqual([200, { object: 'webhook_event', id: expect.stringMatching(/^msg_/) }]);
    await until(() => got.length === 1, { what: 'the test event' });
    expect(got[0]?.id).toBe(body.id);
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      type: 'email.bounced',
      data: { email_id: NIL, to: ['delivered@example.com'], bounce: { type: 'Permanent' }, tags: { test: 'true' } },
    });
    await until(async () => (await log(id))[0]?.status === 'success');
    expect(await log(id)).toMatchObject([{ id: body.id, email_id: null, recipient: 'delivered@example.com' }]);
  });

  it('may have a type that the webhook does not get', async () => {
    const id = await make();
    expect((await call('POST', `/webhooks/${id}/test`, { type: 'topic.created' })).status).toBe(200);
    await until(() => got.length === 1, { what: 'the test event' });
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ type: 'topic.created', data: { name: 'Product news' } });
  });

  it('does not hide an event that is handed over at the same time', async () => {
    const id = await make();
    const tests = Array.from({ length: 40 }, () => call('POST', `/webhooks/${id}/test`, {}));
    const emails = Array.from({ length: 40 }, (_, n) => happen(`n${n}@to.test`));
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual(Array(40).fill(200));
    await Promise.all(emails);
    await until(() => got.length === 80, { what: 'all events' });
  });

  it('does not hold up the events of other accounts, however many there are', async () => {
    const id = await make();
    const other = await host.account('other-receiver');
    const endpoint = `${receiver.url}/hooks`;
    const body = { endpoint, events: ['email.scheduled'] };
    expect((await host.request('POST', '/webhooks', { token: other.token, body })).status).toBe(201);
    const isThere = () => got.some(({ body }) => JSON.parse(body).data.to[0] === 'other@to.test');
    let tests = 0;
    const flood = Array.from({ length: 30 }, async () => {
      while (tests < 600 && !isThere()) {
        tests += 1;
        await call('POST', `/webhooks/${id}/test`, {});
      }
    });
    await until(() => tests >= 60, { what: 'tests' });
    const email = { from: 'a@from.test', to: 'other@to.test', subject: 'x', text: 'x', scheduled_at: tomorrow() };
    await host.request('POST', '/emails', { token: other.token, body: email });
    await Promise.all(flood);
    expect(isThere()).toBe(true);
  });

  it('is refused for a disabled webhook, an unknown type and another account', async () => {
    const id = await make();
    for (const type of ['email.opened', 'email.unknown', 7, ['email.sent'], 'constructor']) {
      await expectRefused(host, ['POST', `/webhooks/${id}/test`, { body: { type } }], invalid('`type`'), TABLES);
    }
    await call('PATCH', `/webhooks/${id}`, { status: 'disabled' });
    await expectRefused(host, ['POST', `/webhooks/${id}/test`, { body: {} }], invalid('disabled'), TABLES);
    await expectRefused(host, ['POST', `/webhooks/${randomUUID()}/test`, { body: {} }], NOT_FOUND, TABLES);
    const other = await host.account('other-tester');
    for (const path of ['test', 'replay']) {
      const body = path === 'test' ? {} : { since: hoursAgo(1) };
      await expectRefused(host, ['POST', `/webhooks/${id}/${path}`, { body, token: other.token }], NOT_FOUND, TABLES);
    }
  });
});

describe('a replay of failed events', () => {
  it('sends those since a time, the oldest first and each once', async () => {
    const id = await make();
    await happen('jane@to.test');
    await until(() => got.length === 1);
    await fail(id, 5);
    const { status, body } = await call<Replayed>('POST', `/webhooks/${id}/replay`, { since: hoursAgo(3.5) });
    const last = `msg_${'1'.padStart(27, '0')}`;
    expect([status, body]).toEqual([200, { object: 'webhook', id, replayed: 3, has_more: false, last }]);
    await until(() => got.length === 4, { what: 'the replays' });
    await until(async () => (await log(id)).filter(({ status: state }) => state === 'failed').length === 2);
    expect(got.slice(1).map((request) => Number(request.id.slice(4)))).toEqual([3, 2, 1]);
    const again = await call<Replayed>('POST', `/webhooks/${id}/replay`, { since: hoursAgo(3.5) });
    expect(again.body).toMatchObject({ replayed: 0, has_more: false, last: null });
  });

  it('goes in groups, does not hold up new events, and ends although all fail again', async () => {
    const id = await make();
    await happen('jane@to.test');
    await until(() => got.length === 1);
    await fail(id, 1_500);
    answer = (_, response) => setTimeout(() => response.writeHead(500).end(), 20);
    const since = hoursAgo(2_000);
    const first = (await call<Replayed>('POST', `/webhooks/${id}/replay`, { since })).body;
    expect(first).toMatchObject({ replayed: 1_000, has_more: true });
    const email = await happen('new@to.test');
    await until(() => got.some((request) => request.body.includes(email)), { what: 'the new event' });
    expect(got.length).toBeLessThan(900);
    const second = (await call<Replayed>('POST', `/webhooks/${id}/replay`, { since, after: first.last })).body;
    expect(second).toMatchObject({ replayed: 500, has_more: false });
  });

  it('is refused without a time, with a foreign cursor, and for a disabled webhook', async () => {
    const id = await make();
    const refuse = async (body: object, field: string) =>
      expectRefused(host, ['POST', `/webhooks/${id}/replay`, { body }], invalid(field), TABLES);
    await expectRefused(host, ['POST', `/webhooks/${id}/replay`, { body: {} }], missing('since'), TABLES);
    for (const since of ['yesterday', '2026-02-30T00:00:00Z', 7, '2026-11-21']) await refuse({ since }, '`since`');
    for (const after of ['x', `msg_${'a'.repeat(27)}`]) await refuse({ since: hoursAgo(1), after }, '`after`');
    await call('PATCH', `/webhooks/${id}`, { status: 'disabled' });
    await refuse({ since: hoursAgo(1) }, 'disabled');
  });
});

describe('statistics', () => {
  it('count the latest thousand events of each webhook', async () => {
    const id = await make();
    expect((await call('GET', '/webhooks/statistics')).body).toEqual({
      object: 'list',
      has_more: false,
      data: [{ id, events: 0, success: 0, failed: 0, attempting: 0, pending: 0, success_rate: null }],
    });
    await happen('jane@to.test');
    await until(async () => (await log(id))[0]?.status === 'success');
    await fail(id, 3);
    const { body } = await call<{ data: object[] }>('GET', '/webhooks/statistics');
    expect(body.data).toMatchObject([{ events: 4, success: 1, failed: 3, success_rate: 0.25 }]);
    await fail(id, 1_000, 'a');
    const { body: many } = await call<{ data: object[] }>('GET', '/webhooks/statistics');
    expect(many.data).toMatchObject([{ events: 1_000, success: 0, failed: 1_000, success_rate: 0 }]);
  });
});
