import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { PATIENCE } from '../support/basics/patience.mjs';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { FileServer } from '../support/servers/file-server.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** 60 kB, near the limit of a request. */
const HEADERS = Object.fromEntries(Array.from({ length: 62 }, (_, n) => [`X-Long-${n}`, 'h'.repeat(960)]));
const LATER = new Date(Date.now() + 86_400_000).toISOString();

/** Seed of the hash of an address (`addr` in ASCII). */
const PERSON = 0x6164_6472;

interface Row {
  event_id: string;
}
interface Got {
  id: string;
  path: string;
  body: string;
}

let host: RunningHost;
let receiver: FileServer;
const got: Got[] = [];

beforeAll(async () => {
  receiver = await FileServer.start();
  host = await startHost({
    smtp: await SmtpSink.start(),
    env: {
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
      RATE_LIMIT_PER_SECOND: '1000',
      NODE_OPTIONS: '--max-old-space-size=256',
    },
  });
});

const take: RequestListener = async (request, response) => {
  const id = String(request.headers['svix-id']);
  got.push({ id, path: request.url ?? '', body: await text(request) });
  response.writeHead(200).end();
};

function listenAt(path: string, listener: RequestListener = take): string {
  receiver.routes[path] = listener;
  return receiver.url + path;
}

async function create(endpoint: string, type: string, token = host.token): Promise<string> {
  const { status, body } = await host.request<{ id: string }>('POST', '/webhooks', {
    body: { endpoint, events: [type] },
    token,
  });
  expect(status).toBe(201);
  return body.id;
}

async function send(fields: object, token = host.token): Promise<string> {
  const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'x', ...fields };
  const { status, body: made } = await host.request<{ id: string }>('POST', '/emails', { body, token });
  expect(status).toBe(200);
  return made.id;
}

const rowsOf = (webhook: string) =>
  host.query<Row>('SELECT * FROM nestjs_emails.webhook_events WHERE webhook_id = $1 ORDER BY seq', [webhook]);
const payloadsOf = async (account: string) =>
  host.query<{ id: string; body: string }>(
    'SELECT id, body FROM nestjs_emails.webhook_payloads WHERE account_id = $1',
    [account],
  );
const gotAt = (path: string) => got.filter((one) => one.path === path);

describe('payloads', () => {
  it('have no headers of sensitive mail', async () => {
    const { token } = await host.account('sensitive');
    // Before they are finished: then the headers are still stored.
    await create(listenAt('/sensitive'), 'email.scheduled', token);
    const fields = { headers: { 'X-Code': 'Kestrel-4711' }, scheduled_at: LATER };
    await send({ ...fields, sensitive: true, subject: 'Sensitive' }, token);
    await send({ ...fields, subject: 'Open' }, token);
    await until(() => gotAt('/sensitive').length === 2, { what: 'both requests' });
    const data = gotAt('/sensitive').map(({ body }) => JSON.parse(body).data);
    const of = (subject: string) => data.find((one) => one.subject === subject);
    expect(of('Open')).toMatchObject({ headers: [{ name: 'X-Code', value: 'Kestrel-4711' }] });
    expect(of('Sensitive')).not.toHaveProperty('headers');
  });

  it('are stored once for ten webhooks, without long headers, and deleted with the last of their events', async () => {
    const { account, token } = await host.account('ten');
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(await create(listenAt(`/ten/${n}`), 'email.sent', token));
    for (let n = 0; n < 3; n++) {
      await send({ to: Array.from({ length: 50 }, (_, at) => `to${at}@to.test`), headers: HEADERS }, token);
    }
    const came = () => got.filter(({ path }) => path.startsWith('/ten/'));
    await until(() => came().length === 1_500, { what: 'all requests' });

    const payloads = await payloadsOf(account);
    expect(payloads).toHaveLength(150);
    expect(payloads.reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0)).toBeLessThan(150_000);
    const bodies = new Map<string, Set<string>>();
    for (const { id, body } of came()) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    expect([bodies.size, ...[...bodies.values()].map((of) => of.size)]).toEqual([150, ...Array(150).fill(1)]);
    for (const { body } of came().slice(0, 50)) {
      const { data } = JSON.parse(body);
      expect(data).toMatchObject({ to: [expect.stringMatching(/^to\d+@to\.test$/)], truncated: true });
      expect(data).not.toHaveProperty('headers');
    }

    const [last = '', ...others] = ids;
    for (const id of others) await host.request('DELETE', `/webhooks/${id}`, { token });
    await host.restart();
    const left = async () =>
      (await host.query('SELECT FROM nestjs_emails.webhook_events WHERE account_id = $1', [account])).length;
    await until(async () => (await left()) === 150, { what: 'logs of deleted webhooks to go' });
    expect(await payloadsOf(account)).toHaveLength(150);
    const [row] = await rowsOf(last);
    const { body } = await host.request('GET', `/webhooks/${last}/events/${row?.event_id}`, { token });
    expect(body.payload).toEqual(JSON.parse(came().find(({ id }) => id === row?.event_id)?.body ?? ''));

    await host.request('DELETE', `/webhooks/${last}`, { token });
    await host.restart();
    await until(async () => (await left()) === 0, { what: 'the last log to go' });
    expect(await payloadsOf(account)).toEqual([]);
  });

  it('that are shared have no erased person, in any log', async () => {
    const { account, token } = await host.account('erased');
    const ids = [
      await create(listenAt('/one'), 'email.scheduled', token),
      await create(listenAt('/other'), 'email.scheduled', token),
    ];
    await send({ to: ['jane@person.test', 'bob@person.test'], scheduled_at: LATER }, token);
    await until(() => gotAt('/one').length + gotAt('/other').length === 2, { what: 'both requests' });
    const people = ['jane@person.test', 'bob@person.test'];
    await Promise.all(people.map((email) => host.request('POST', '/erasures', { body: { email }, token })));
    await until(async () => !JSON.stringify(await payloadsOf(account)).includes('@person.test'), { what: 'erasures' });
    for (const id of ids) {
      const [row] = await rowsOf(id);
      const { body } = await host.request('GET', `/webhooks/${id}/events/${row?.event_id}`, { token });
      expect(body.payload).toMatchObject({ data: { to: ['erased@erased.invalid', 'erased@erased.invalid'] } });
    }
  });

  it('of 63 kB, 1,000 of them with a person, fill no heap of 256 MB when that person is erased', async () => {
    const { account, token } = await host.account('large');
    const id = await create(listenAt('/large'), 'email.opened', token);
    await host.query(
      `WITH stored AS (
         INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body)
         SELECT $2, 'msg_' || lpad(n::text, 27, '0'),
           json_build_object('data', json_build_object('to', json_build_array('kim@person.test'), 'more', '語' || repeat('x', 63000)))::text
         FROM generate_series(1, 1000) AS n RETURNING id, event_id)
       INSERT INTO nestjs_emails.webhook_events
         (webhook_id, account_id, event_id, type, created_at, payload_id, due_at, status, people)
       SELECT $1, $2, event_id, 'email.opened', now(), id,
         NULL, 'success', ARRAY[hashtextextended('kim@person.test', hashtextextended($2, $3))]
       FROM stored`,
      [id, account, PERSON],
    );
    expect((await host.request('POST', '/erasures', { body: { email: 'kim@person.test' }, token })).status).toBe(201);
    const left = 'SELECT FROM nestjs_emails.webhook_events WHERE webhook_id = $1 AND cardinality(people) > 0 LIMIT 1';
    const isDead = () => host.output.includes('heap out of memory');
    await until(async () => isDead() || (await host.query(left, [id])).length === 0, { what: 'an erasure' });
    expect(isDead()).toBe(false);
    expect(JSON.stringify(await payloadsOf(account))).not.toContain('kim@person.test');
  });

  it('of 63 kB for 200 endpoints that hang fill no heap of 256 MB, and all arrive when these answer', async () => {
    let isHanging = true;
    const held: (() => void)[] = [];
    const arrived = new Set<string>();
    const hang: RequestListener = (request, response) => {
      request.resume();
      const answer = () => {
        arrived.add(`${request.url} ${request.headers['svix-id']}`);
        response.writeHead(200).end();
      };
      if (isHanging) held.push(answer);
      else answer();
    };
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      const { token } = await host.account(`hanging${n}`);
      for (let at = 0; at < 10; at++) {
        ids.push(await create(listenAt(`/hanging/${ids.length}`, hang), 'email.opened', token));
      }
    }
    const count = await host.query(
      `WITH stored AS (
         INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body)
         SELECT account_id, 'msg_' || lpad(n::text, 27, '0'), json_build_object('data', '語' || repeat('x', 63000))::text
         FROM (SELECT DISTINCT account_id FROM nestjs_emails.webhooks WHERE id = ANY ($1)) AS w, generate_series(1, 20) AS n
         RETURNING id, account_id, event_id)
       INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id)
       SELECT w.id, w.account_id, s.event_id, 'email.opened', now(), s.id
       FROM nestjs_emails.webhooks w JOIN stored s ON s.account_id = w.account_id WHERE w.id = ANY ($1) RETURNING 1`,
      [ids],
    );
    expect(count).toHaveLength(4_000);
    const isDead = () => host.output.includes('heap out of memory');
    await until(() => isDead() || held.length > 400, { what: 'endpoints that hang' });
    isHanging = false;
    for (const answer of held) answer();
    await until(() => isDead() || arrived.size === 4_000, { what: 'all events', timeout: 2 * PATIENCE });
    expect([isDead(), arrived.size]).toEqual([false, 4_000]);
  });
});
