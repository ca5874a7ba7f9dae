import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventTypes, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import type { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const EMAIL = { from: 'sender@from.test', to: 'to@to.test', subject: 'Hello', text: 'Hello there' };

/** Time to recovery after PostgreSQL is back. Seconds. */
const RETURN = 5;

let sink: SmtpSink;
let proxy: TcpProxy;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  proxy = await startPostgresProxy();
  host = await startHost({ smtp: sink, postgresProxy: proxy, env: { SMTP_HOP: 'final' } });
});

afterEach(async () => {
  await proxy.restore();
  await eventually(async () => expect((await host.request('GET', '/health/ready')).status).toBe(200));
  sink.reset();
});

const countEmails = async () =>
  (await host.query<{ n: number }>('SELECT count(*)::int AS n FROM nestjs_emails.emails'))[0]!.n;

describe('PostgreSQL that cannot be reached', () => {
  it.each([
    ['POST /emails', 'POST', '/emails', EMAIL],
    ['GET /emails', 'GET', '/emails', undefined],
  ])('answers %s with 503 in the shape of all errors, and accepts nothing', async (_, method, path, body) => {
    const before = await countEmails();
    await proxy.refuse();
    const answer = await host.request(method, path, { body });
    expect(answer).toMatchObject({
      status: 503,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      },
      body: { statusCode: 503, name: 'application_error', message: expect.stringContaining('database') },
    });
    expect(Object.keys(answer.body)).toEqual(['statusCode', 'name', 'message']);
    await proxy.restore();
    expect(await countEmails()).toBe(before);
  });

  it('cannot check a key, and says so in place of a refusal', async () => {
    await proxy.refuse();
    const answer = await host.request('POST', '/emails', { body: EMAIL, token: 're_that_was_never_looked_up' });
    expect(answer).toMatchObject({ status: 503, body: { name: 'application_error' } });
  });

  it('leaves the process alive but not ready', async () => {
    await proxy.refuse();
    expect((await host.request('GET', '/health/live')).status).toBe(200);
    expect(await host.request('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { name: 'application_error', message: expect.stringContaining('database') },
    });
  });

  it('does not use up an idempotency key', async () => {
    await proxy.refuse();
    const headers = { 'idempotency-key': 'outage' };
    expect((await host.request('POST', '/emails', { body: EMAIL, headers })).status).toBe(503);
    await proxy.restore();
    const retried = await eventually(async () => {
      const answer = await host.request<{ id: string }>('POST', '/emails', { body: EMAIL, headers });
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(retried.headers['idempotent-replayed']).toBeUndefined();
    await untilShown(host, retried.body.id, 'delivered');
  });
});

describe('PostgreSQL that returns', () => {
  it('is used again without a restart, for accepting and for delivering what fell due meanwhile', async () => {
    const waiting = await post(host, 'waiting@to.test', {
      scheduled_at: new Date(Date.now() + host.seconds(1)).toISOString(),
    });
    await proxy.refuse();
    // Long enough for a worker to notice both the outage and the return.
    await eventually(async () => {
      const [row] = await host.query<{ due: boolean }>(
        `SELECT due_at < clock_timestamp() - interval '1 second' AS due FROM nestjs_emails.deliveries WHERE email_id = $1`,
        [waiting],
      );
      expect(row?.due).toBe(true);
    });
    expect(sink.messages).toHaveLength(0);
    await proxy.restore();
    await sink.waitFor(({ envelope }) => envelope.to.includes('waiting@to.test'), host.seconds(RETURN));
    await untilShown(host, waiting, 'delivered');
    const next = await post(host, 'next@to.test');
    await untilShown(host, next, 'delivered', { timeout: host.seconds(RETURN) });
  });

  it('accepts emails without a worker when all connections were cut', async () => {
    const answers = [];
    for (let round = 0; round < 3; round++) {
      const requests = Array.from({ length: 20 }, (_, n) =>
        host.request<{ id: string }>('POST', '/emails', { body: { ...EMAIL, to: `to${n}@cut.test` } }),
      );
      proxy.cut();
      answers.push(...(await Promise.all(requests)));
    }
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    const accepted = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
    await untilSettled(host, accepted, { timeout: host.recoveryLimit + host.seconds(5) });
    for (const id of accepted) expect((await eventTypes(host, id)).at(-1)).toBe('delivered');
  });

  it('gets the records of emails sent while it was away: there is no second copy', async () => {
    sink.onMessage = async () => {
      await proxy.refuse();
      setTimeout(() => void proxy.restore(), 2_000);
      return undefined;
    };
    const id = await post(host, 'once@to.test');
    await untilShown(host, id, 'delivered');
    expect(sink.offered).toHaveLength(1);
    expect((await attemptsOf(host, id)).map(({ unknown }) => unknown)).toEqual([false]);
  });

  it('in the middle of work finishes all of it within 15 seconds, nothing twice without a record', async () => {
    const due = new Date(Date.now() + host.seconds(1.5)).toISOString();
    const ids = await Promise.all(
      Array.from({ length: 150 }, (_, n) => post(host, `to${n}@d${n}.test`, { scheduled_at: due })),
    );
    await sink.waitFor(30);
    await proxy.refuse();
    const [row] = await host.query<{ owed: number }>(
      'SELECT count(*)::int AS owed FROM nestjs_emails.deliveries WHERE due_at IS NOT NULL',
    );
    expect(row?.owed).toBeGreaterThan(0);
    // A worker that polls now finds no database.
    await eventually(async () => expect((await host.request('GET', '/emails')).status).toBe(503));
    await proxy.restore();
    await untilSettled(host, ids, { timeout: host.recoveryLimit });

    for (const [n, id] of ids.entries()) {
      const unknown = (await attemptsOf(host, id)).filter((attempt) => attempt.unknown).length;
      const copies = sink.messages.filter(({ envelope }) => envelope.to.includes(`to${n}@d${n}.test`)).length;
      expect(copies).toBeGreaterThanOrEqual(1);
      expect(copies).toBeLessThanOrEqual(1 + unknown);
    }
  });
});
