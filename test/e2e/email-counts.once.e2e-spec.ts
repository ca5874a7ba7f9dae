import { randomUUID } from 'node:crypto';
import type { EmailMetricsDto, MetricsQueryDto } from 'nestjs-emails';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterFile } from '../support/basics/cleanup.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

const CORE = '../../libs/emails/dist/emails/';
const load = (file: string) => import(new URL(`${CORE}${file}.js`, import.meta.url).href);

interface Counts {
  fold(limit: number): Promise<number>;
}

interface Metrics {
  metrics(account: string, query: MetricsQueryDto): Promise<EmailMetricsDto>;
}

let database: TestDatabase;
let dataSource: DataSource;
let counts: Counts;
let service: Metrics;

beforeAll(async () => {
  database = await freshDatabase();
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  afterFile(() => dataSource.destroy());
  const { CountsRepository } = await load('storage/read/counts.repository');
  const { MetricsService } = await load('read/metrics/metrics.service');
  counts = new CountsRepository(dataSource);
  service = new MetricsService(counts);
});

/** An email of this account from this mailbox, with these events of a recipient. */
async function email(account: string, from: string, events: readonly string[] = [], { query } = database) {
  const id = randomUUID();
  await query(
    `INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
       reply_to_mailboxes, subject, headers, tags, created_at)
     VALUES ($1::uuid, $2, $1::text, $3, '{}', '{}', '{}', '{}', '', '[]', '[]', now())`,
    [id, account, from],
  );
  await query(
    `INSERT INTO nestjs_emails.events (email_id, type, recipient) SELECT $1, unnest($2::text[]), 'to@to.test'`,
    [id, events],
  );
  return id;
}

/** Counts of one kind at these times. */
const counted = (account: string, times: readonly string[], kind = 'sent') =>
  database.query(
    `INSERT INTO nestjs_emails.event_totals (account_id, slot, domain, kind, count)
     SELECT $1, unnest($2::timestamptz[]), 'a.test', $3, 1`,
    [account, times, kind],
  );

/** Counts of an account, folded or not, by kind. */
async function kindsOf(account: string): Promise<Record<string, number>> {
  const rows = await database.query<{ kind: string; count: number }>(
    `SELECT kind, sum(count)::integer AS count FROM (
       SELECT account_id, kind, count FROM nestjs_emails.event_counts
       UNION ALL SELECT account_id, kind, count FROM nestjs_emails.event_totals
     ) AS counts WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
    [account],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

describe('periods', () => {
  const ask = async (account: string, query: MetricsQueryDto) =>
    (await service.metrics(account, { metrics: 'sent', dimensions: 'period', ...query })).data?.map(
      ({ period, sent }) => [period, sent],
    );

  it('start at midnight of the zone, also on a day of 23 hours', async () => {
    await counted('spring', [
      '2025-03-29T22:45:00Z',
      '2025-03-29T23:00:00Z',
      '2025-03-30T21:45:00Z',
      '2025-03-30T22:00:00Z',
    ]);
    const range = { start_date: '2025-03-28T23:00:00Z', end_date: '2025-03-31T22:00:00Z' };
    expect(await ask('spring', { ...range, timezone: 'Europe/Berlin' })).toEqual([
      ['2025-03-29', 1],
      ['2025-03-30', 2],
      ['2025-03-31', 1],
    ]);
    expect(await ask('spring', { ...range, timezone: 'europe/berlin', granularity: 'monthly' })).toEqual([
      ['2025-03-01', 4],
    ]);
  });

  it('are hours of the clock, also when it is put back', async () => {
    await counted('autumn', ['2025-10-26T00:45:00Z', '2025-10-26T01:00:00Z', '2025-10-26T01:15:00Z']);
    const query = {
      start_date: '2025-10-25T22:00:00Z',
      end_date: '2025-10-26T23:00:00Z',
      timezone: 'Europe/Berlin',
      granularity: 'hourly',
    };
    const hours = await ask('autumn', query);
    expect(hours).toHaveLength(25);
    expect(hours?.slice(2, 5)).toEqual([
      ['2025-10-26T02:00:00+02:00', 1],
      ['2025-10-26T02:00:00+01:00', 2],
      ['2025-10-26T03:00:00+01:00', 0],
    ]);
  });

  it.each([
    ['Asia/Kolkata', 'daily', '2025-07-01T18:15:00Z', '2025-07-01', '2025-07-01T18:30:00Z', '2025-07-02'],
    [
      'Asia/Kathmandu',
      'hourly',
      '2025-07-01T00:00:00Z',
      '2025-07-01T05:00:00+05:45',
      '2025-07-01T00:15:00Z',
      '2025-07-01T06:00:00+05:45',
    ],
    [
      'America/St_Johns',
      'hourly',
      '2025-07-01T00:15:00Z',
      '2025-06-30T21:00:00-02:30',
      '2025-07-01T00:30:00Z',
      '2025-06-30T22:00:00-02:30',
    ],
    ['UTC', 'weekly', '2025-11-23T23:45:00Z', '2025-11-17', '2025-11-24T00:00:00Z', '2025-11-24'],
    ['Pacific/Auckland', 'monthly', '2025-06-30T11:45:00Z', '2025-06-01', '2025-06-30T12:00:00Z', '2025-07-01'],
  ])('of %s, %s', async (timezone, granularity, before, first, at, second) => {
    const account = `${timezone} ${granularity}`;
    await counted(account, [before, at]);
    const end = new Date(Date.parse(at) + 900_000).toISOString();
    expect(await ask(account, { start_date: before, end_date: end, timezone, granularity })).toEqual([
      [first, 1],
      [second, 1],
    ]);
  });

  it('end before the end, and are none in no time', async () => {
    const range = { start_date: '2025-07-01', end_date: '2025-07-03' };
    expect(await ask('nobody', range)).toEqual([
      ['2025-07-01', 0],
      ['2025-07-02', 0],
    ]);
    expect(await ask('nobody', { start_date: '2025-07-01', end_date: '2025-07-01' })).toEqual([]);
    const times = await service.metrics('nobody', {
      start_date: '2025-07-01T10:20:30+02:00',
      end_date: '2025-07-01T08:29Z',
    });
    expect(times).toMatchObject({ start_date: '2025-07-01T08:15:00.000Z', end_date: '2025-07-01T08:30:00.000Z' });
  });

  it('end now at the latest, by the clock of the database', async () => {
    const { start_date, end_date } = await service.metrics('nobody', { end_date: '9999-12-31' });
    expect(Math.abs(Date.parse(end_date) - Date.now())).toBeLessThan(600_000);
    expect(Date.parse(end_date) - Date.parse(start_date)).toBeGreaterThanOrEqual(6 * 86_400_000);
    expect((await service.metrics('nobody', { start_date: '9999-01-01', end_date: '9999-12-31' })).totals.sent).toBe(0);
  });

  it('without counts are left out if there is a further dimension', async () => {
    await counted('domains', ['2025-07-02T00:00:00Z']);
    const query = { start_date: '2025-07-01', end_date: '2025-07-09', metrics: 'sent', dimensions: 'period,domain' };
    const { data } = await service.metrics('domains', query);
    expect(data).toEqual([{ period: '2025-07-02', domain_id: null, domain_name: 'a.test', sent: 1 }]);
  });
});

describe('counting', () => {
  it('is done in the transaction of the events, by kind', async () => {
    await email('kinds', 'a@a.test', ['sent', 'sent', 'delivered', 'bounced']);
    await database.query('UPDATE nestjs_emails.events SET bounce = NULL');
    const id = await email('kinds', 'a@a.test');
    await database.query(
      `INSERT INTO nestjs_emails.events (email_id, type, recipient, bounce)
       VALUES ($1, 'bounced', 'a@a.test', '{"type": "Permanent"}'), ($1, 'failed', NULL, NULL)`,
      [id],
    );
    const kept = { bounced_permanent: 1, bounced_undetermined: 1, delivered: 1, sent: 2 };
    expect(await kindsOf('kinds')).toEqual(kept);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await email('kinds', 'a@a.test', ['sent'], { ...database, query: runner.query.bind(runner) as never });
    await runner.rollbackTransaction();
    await runner.release();
    expect(await kindsOf('kinds')).toEqual(kept);
  });

  it('accepts any mailbox', async () => {
    const mailboxes = ['', '@', 'nobody', 'a@', `a@${'x'.repeat(100_000)}`, '"@" <a@b@c.test>', "a@'\\%\u{1f98a}\n> "];
    for (const from of mailboxes) await email('hostile', from, ['sent']);
    await email('hostile', 'A <a@BÜCHER.test>', ['sent']);
    await email('hostile', 'a@xn--bcher-kva.test', ['sent', 'sent']);
    while ((await counts.fold(2)) > 0);
    const { data, totals } = await service.metrics('hostile', { metrics: 'sent', dimensions: 'domain' });
    expect(totals).toEqual({ sent: mailboxes.length + 3 });
    expect(data).toContainEqual({ domain_id: null, domain_name: 'xn--bcher-kva.test', sent: 3 });
    expect(data).toContainEqual({ domain_id: null, domain_name: 'c.test', sent: 1 });
  });

  it('folds every count once, by any process, and in spite of kills', async () => {
    for (let at = 0; at < 30; at++) await email('folded', `a@a${at % 3}.test`, ['sent', 'delivered']);
    // One that has folded and dies before its commit.
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    const { FOLD } = await load('storage/read/counts.sql');
    expect((await client.query(FOLD, [20])).rows).toEqual([{ count: 20 }]);
    expect(await counts.fold(20)).toBe(0);
    expect(await kindsOf('folded')).toEqual({ delivered: 30, sent: 30 });
    const [killed] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
    await database.query('SELECT pg_terminate_backend($1, 60000)', [killed.pid]);
    const writers = Array.from({ length: 10 }, () => email('folded', 'a@a0.test', ['sent']));
    const folders = Array.from({ length: 5 }, async () => {
      for (let at = 0; at < 5; at++) await counts.fold(3);
    });
    await Promise.all([...writers, ...folders]);
    expect(await kindsOf('folded')).toEqual({ delivered: 30, sent: 40 });
    while ((await counts.fold(100)) > 0);
    expect(await database.query('SELECT FROM nestjs_emails.event_counts')).toEqual([]);
    expect(await kindsOf('folded')).toEqual({ delivered: 30, sent: 40 });
  });
});

describe('an answer', () => {
  it('that is too slow or too large is refused', async () => {
    await database.query(
      `INSERT INTO nestjs_emails.event_totals (account_id, slot, domain, kind, count)
       SELECT 'large', '2025-07-01', 'd' || n || '.test', 'sent', 9007199254740991 FROM generate_series(1, 10001) AS n`,
    );
    const range = { start_date: '2025-07-01', end_date: '2025-07-02' };
    expect((await service.metrics('large', range)).totals.sent).toBeGreaterThan(9e19);
    const refused = { statusCode: 422, message: expect.stringMatching(/more than one answer may have.*start_date/) };
    await expect(service.metrics('large', { ...range, dimensions: 'domain' })).rejects.toMatchObject(refused);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE nestjs_emails.event_totals IN ACCESS EXCLUSIVE MODE');
    await expect(service.metrics('large', range)).rejects.toMatchObject(refused);
    await runner.rollbackTransaction();
    await runner.release();
  });
});
