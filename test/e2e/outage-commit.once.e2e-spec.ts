import { type PostgresExchange, postgresTap } from '../faults/wire/postgres-tap.js';
import { acceptedEmails, isAccept } from '../faults/world/statements.js';
import { afterFile } from '../support/basics/cleanup.js';
import { eventually } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { fromTestRun } from '../support/jest/test-environment.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let database: TestDatabase;
let proxy: TcpProxy<PostgresExchange>;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  database = await freshDatabase();
  proxy = await TcpProxy.start('127.0.0.1', Number(new URL(fromTestRun('TEST_DATABASE_URL')).port), postgresTap);
  host = await startHost({ smtp: sink, env: { DATABASE_URL: proxy.through(database.url) } });
});

afterAll(() => proxy.close());
afterFile(() => proxy.close().catch(() => {}));

const post = (subject: string, key?: string) =>
  host.request<{ id: string; message: string }>('POST', '/emails', {
    body: letter({ subject }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

const trapAccept = (moment: 'request' | 'answer') => proxy.trap(moment, (exchange) => isAccept(exchange));

const emailsOf = (subject: string) =>
  database.query<{ id: string }>('SELECT id FROM nestjs_emails.emails WHERE subject = $1', [subject]);

describe('a connection that breaks while an email is written', () => {
  it.each([undefined, 'a key'])('after the commit: the answer is the email, with idempotency key %j', async (key) => {
    const subject = `After, ${key}`;
    const trap = trapAccept('answer');
    const answer = post(subject, key);
    await trap.sprung;
    proxy.cut();
    trap.release();
    expect(await answer).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    const { id } = (await answer).body;
    expect(await emailsOf(subject)).toEqual([{ id }]);
    await sink.waitFor(({ raw }) => raw.includes(`<${id}@`));
  });

  it('before the commit: the outcome is uncertain, the answer says so, and the same key retries safely', async () => {
    const trap = trapAccept('request');
    const answer = post('Before', 'before');
    await trap.sprung;
    proxy.cut();
    trap.release();
    expect(await answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: {
        message: expect.stringMatching(/not known whether the email was accepted.*same `Idempotency-Key` is safe/),
      },
    });
    const again = await eventually(async () => {
      const { status, body } = await post('Before', 'before');
      expect(status).toBe(200);
      return body;
    });
    expect(await emailsOf('Before')).toEqual([{ id: again.id }]);
  });

  it('and of a batch: its answer has the outcome of all, or says that it is uncertain', async () => {
    const post = (subject: string) =>
      host.request<{ data: { id: string }[] }>('POST', '/emails/batch', {
        body: [letter({ subject }), letter({ subject })],
        headers: { 'idempotency-key': subject },
      });
    for (const moment of ['answer', 'request'] as const) {
      const subject = `Batch, ${moment}`;
      const trap = trapAccept(moment);
      const answer = post(subject);
      await trap.sprung;
      proxy.cut();
      trap.release();
      expect((await answer).status).toBe(moment === 'answer' ? 200 : 503);
      const { data } = await eventually(async () => {
        const { status, body } = await post(subject);
        expect(status).toBe(200);
        return body;
      });
      if (moment === 'answer') expect((await answer).body.data).toEqual(data);
      const ids = data.map(({ id }) => id).sort();
      expect((await emailsOf(subject)).map(({ id }) => id).sort()).toEqual(ids);
    }
  });

  it('and of a whole group: each is answered with its outcome', async () => {
    const trap = trapAccept('answer');
    const first = post('Group');
    const written = acceptedEmails(await trap.sprung).map(({ id }) => id);
    const others = Array.from({ length: 30 }, () => post('Group'));
    const group = trapAccept('answer');
    trap.release();
    written.push(...acceptedEmails(await group.sprung).map(({ id }) => id));
    proxy.cut();
    group.release();
    const answers = await Promise.all([first, ...others]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = answers.map(({ body }) => body.id).sort();
    expect((await emailsOf('Group')).map(({ id }) => id).sort()).toEqual(ids);
    expect(ids).toEqual(expect.arrayContaining(written));
  });
});

describe('a connection that breaks while an email is canceled', () => {
  it.each(['answer', 'request'] as const)('at the %s of the commit: it is canceled, once', async (moment) => {
    const body = letter({ scheduled_at: '2096-11-21T05:26:01Z' });
    const { id } = (await host.request<{ id: string }>('POST', '/emails', { body })).body;
    const trap = proxy.trap(moment, ({ sql }) => sql === 'COMMIT');
    const answer = host.request('POST', `/emails/${id}/cancel`);
    await trap.sprung;
    proxy.cut();
    trap.release();
    expect(await answer).toMatchObject({ status: 200, body: { object: 'email', id } });
    const events = await database.query('SELECT type FROM nestjs_emails.events WHERE email_id = $1 ORDER BY id', [id]);
    expect(events).toEqual([{ type: 'scheduled' }, { type: 'canceled' }]);
  });
});
