import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { runScript } from '../support/hosts/host-process.js';
import { nextVersion } from '../support/hosts/next-version.js';
import { attemptsOf, listed, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { startPgbouncer } from '../support/servers/pgbouncer.js';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

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
    const found = await host.request<{ data: { id: string }[] }>('GET', '/emails?to=b7@to.test&last_event=delivered');
    expect(found.body.data.map(({ id }) => id)).toEqual([ids[7]]);
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

  it('stops gracefully', async () => {
    expect(await host.stop()).toBe(0);
  });
});

it('an empty database is migrated through the pooler, by one of several concurrent processes', async () => {
  const { url } = await emptyDatabase();
  const results = await Promise.all([1, 2, 3].map(() => runScript('migrate', [], { DATABASE_URL: through(url) })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(results.filter(({ stdout }) => stdout.startsWith('Migrated: '))).toHaveLength(1);
});

describe('migrate, as a role with short timeouts', () => {
  const UP_TO_DATE = 'The database is up to date.\n';
  const MIGRATED = 'Migrated: ExpandForNext1999999999999.\n';
  let next: string;

  beforeAll(() => {
    next = nextVersion(
      'ExpandForNext',
      'ALTER TABLE nestjs_emails.accounts ADD COLUMN next_plan text; SELECT pg_sleep(2)',
    );
  });

  /** Limits of a role, far below what a migration may take. */
  async function hurried(): Promise<TestDatabase> {
    const database = await freshDatabase();
    const name = new URL(database.url).pathname.slice(1);
    for (const limit of ['statement', 'lock', 'idle_in_transaction_session', 'transaction']) {
      await database.query(`ALTER ROLE CURRENT_USER IN DATABASE "${name}" SET ${limit}_timeout = '1s'`);
    }
    return database;
  }

  /** A foreign transaction that locks a table until its end. */
  async function strangerWith(database: TestDatabase, table: string) {
    const stranger = new pg.Client({ connectionString: database.url });
    stranger.on('error', () => {});
    await stranger.connect();
    afterFile(() => stranger.end());
    await stranger.query('SET statement_timeout = 0');
    for (const limit of ['idle_in_transaction_session', 'transaction'])
      await stranger.query(`SET ${limit}_timeout = 0`);
    await stranger.query('BEGIN');
    await stranger.query(`LOCK TABLE ${table}`);
    const {
      rows: [{ pid }],
    } = await stranger.query('SELECT pg_backend_pid() AS pid');
    const isSlow =
      "SELECT FROM pg_stat_activity WHERE pid = $1 AND clock_timestamp() - xact_start > interval '4 seconds'";
    await database.query('SET statement_timeout = 0');
    return {
      /** Resolves when all limits have passed several times. */
      untilSlow: () => until(async () => (await database.query(isSlow, [pid])).length > 0),
      commit: () => stranger.query('COMMIT'),
    };
  }

  const columns = async ({ query }: TestDatabase) =>
    (await query("SELECT FROM information_schema.columns WHERE column_name = 'next_plan'")).length;

  it.each([
    ['through the pooler', (url: string) => through(url)],
    ['past it', (url: string) => url],
  ])('%s, several at once, is done once by one of them, in spite of a long foreign lock on a table', async (_, way) => {
    const database = await hurried();
    const stranger = await strangerWith(database, 'nestjs_emails.accounts');
    const running = Promise.all(
      // More of them than the pooler has connections.
      Array.from({ length: 6 }, () => runScript('migrate', [], { DATABASE_URL: way(database.url) }, next)),
    );
    await stranger.untilSlow();
    await stranger.commit();
    const results = await running;
    expect(results.map(({ code, output }) => [code, output]).sort()).toEqual([
      [0, MIGRATED],
      ...Array.from({ length: 5 }, () => [0, UP_TO_DATE]),
    ]);
    expect(await columns(database)).toBe(1);
  });

  it('that loses its connection fails, has done nothing, and can be repeated', async () => {
    const database = await hurried();
    const stranger = await strangerWith(database, 'nestjs_emails.accounts');
    const env = { DATABASE_URL: through(database.url) };
    const running = runScript('migrate', [], env, next);
    await until(
      async () =>
        (
          await database.query(`
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`)
        ).length > 0,
    );
    await stranger.commit();
    expect((await running).code).toBe(1);
    expect(await columns(database)).toBe(0);
    expect(await runScript('migrate', [], env, next)).toMatchObject({ code: 0, output: MIGRATED });
    expect(await columns(database)).toBe(1);
  });
});
