import { attemptsOf, listed, post, untilSettled, untilShown } from '../support/deliveries.js';
import { type RunningHost, startHost } from '../support/host.js';
import { runScript } from '../support/host-process.js';
import { startPgbouncer } from '../support/pgbouncer.js';
import { emptyDatabase } from '../support/postgres.js';
import { SmtpSink } from '../support/smtp-sink.js';

let through: Awaited<ReturnType<typeof startPgbouncer>>;
let sink: SmtpSink;

beforeAll(async () => {
  through = await startPgbouncer();
  sink = await SmtpSink.start();
});

describe('PostgreSQL behind pgbouncer in transaction mode', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ smtp: sink, pooler: through, env: { SMTP_HOP: 'final', RATE_LIMIT: '1000' } });
  });

  it('accepts, delivers and lists', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => post(host, [`a${n}@to.test`, `b${n}@to.test`])));
    await untilSettled(host, ids);
    await untilShown(host, ids[0] ?? '', 'delivered');
    expect(await listed(host, ids[59] ?? '')).toMatchObject({ last_event: 'delivered' });
    expect(sink.messages).toHaveLength(60);
    expect((await attemptsOf(host, ids[30] ?? '')).map(({ unknown }) => unknown)).toEqual([false]);
  });

  it('keeps idempotency keys, attachments, templates and topics', async () => {
    const headers = { 'idempotency-key': 'pooled' };
    const content = Buffer.alloc(3_000_000, 'x').toString('base64');
    const body = {
      from: 'a@from.test',
      to: 'b@to.test',
      subject: 'x',
      text: 'x',
      attachments: [{ content, filename: 'x' }],
    };
    const answers = await Promise.all([1, 2, 3, 4].map(() => host.request('POST', '/emails', { body, headers })));
    expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
    const topic = { name: 'News', default_subscription: 'opt_in' };
    const { body: made } = await host.request('POST', '/topics', { body: topic });
    await untilShown(host, await post(host, 'b@to.test', { topic_id: made.id }), 'delivered');
  });

  it('stops in good order', async () => {
    expect(await host.stop()).toBe(0);
  });
});

it('an empty database is migrated through the pooler, by one of those who try at once', async () => {
  const { url } = await emptyDatabase();
  const results = await Promise.all([1, 2, 3].map(() => runScript('migrate', [], { DATABASE_URL: through(url) })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(results.filter(({ stdout }) => stdout.startsWith('Migrated: '))).toHaveLength(1);
});
