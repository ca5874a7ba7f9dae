import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { startHost } from '../support/hosts/host.js';
import { fromTestRun } from '../support/jest/test-environment.js';
import { libraryRepository } from '../support/reading/library-statements.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';

/** Events that were handed over, or sent, since a snapshot was taken. */
const MANY = 20_000;
/** Limit of pages that a poll reads. Reading an entry of each event would take a hundred times as many. */
const FEW = 200;

let database: TestDatabase;
/** Pages that the last statement of each kind read. */
const pages = new Map<string, number>();

/** Statements of the repositories, run on the database, and the pages that they read. */
const dataSource = {
  query: async (sql: string, values: readonly unknown[] = []) => {
    const [explained] = await database.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      values,
    );
    const plan = explained?.['QUERY PLAN'][0]?.Plan ?? {};
    pages.set('all', (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
    return database.query(sql, values);
  },
};

/** A session that holds a snapshot, like a backup. */
async function holdSnapshot(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  afterFile(() => client.end());
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count(*) FROM nestjs_emails.emails');
}

const publish = (times: number) =>
  database.query(
    `SELECT nestjs_emails.publish('one', 'contact.created', jsonb_build_object('id', n)) FROM generate_series(1, $1) AS n`,
    [times],
  );

beforeAll(async () => {
  database = await freshDatabase();
  await database.query(`INSERT INTO nestjs_emails.event_subscriptions (subscriber) VALUES ('webhooks')`);
  await database.query('VACUUM ANALYZE');
  await holdSnapshot();
});

describe('while an old snapshot is open, a poll', () => {
  it('for events to hand over has a constant cost', async () => {
    const outbox = await libraryRepository('outbox/outbox.repository', 'OutboxRepository', dataSource);
    let outlook = { snapshot: null, readyFrom: '0', undecidedFrom: '0', dueFrom: null };
    const look = async () => {
      outlook = await outbox.look('webhooks', outlook);
      return [outlook, pages.get('all')];
    };
    await look();
    for (let round = 0; round < 4; round++) {
      await publish(MANY / 4);
      await database.query('DELETE FROM nestjs_emails.event_outbox');
      await look();
    }
    // Statistics of an empty table, whose indexes are large.
    await database.query('ANALYZE nestjs_emails.event_outbox');
    expect(await look()).toEqual([expect.objectContaining({ ready: false }), expect.any(Number)]);
    expect(pages.get('all')).toBeLessThan(FEW);
    await publish(1);
    expect(await look()).toEqual([expect.objectContaining({ ready: true }), expect.any(Number)]);
    expect(pages.get('all')).toBeLessThan(FEW);
  });

  it('for webhook events has a constant cost, and so has leasing the next ones', async () => {
    const webhooks = await libraryRepository(
      '../../webhooks/storage/delivery.repository',
      'WebhookDeliveryRepository',
      dataSource,
    );
    const id = randomUUID();
    await database.query(
      `INSERT INTO nestjs_emails.webhooks (id, account_id, endpoint, events, status, secrets, leased_until, fence)
       VALUES ($1, 'one', 'https://a.test', '{}', 'enabled', '[]', now() + interval '1 hour', 1)`,
      [id],
    );
    const record = (times: number) =>
      database.query(
        `INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id, due_at)
         SELECT $1, 'one', gen_random_uuid(), 'email.sent', now(), 0, clock_timestamp() FROM generate_series(1, $2)`,
        [id, times],
      );
    await webhooks.findWork(1_000);
    for (let round = 0; round < 4; round++) {
      await record(MANY / 4);
      await webhooks.findWork(1_000);
      await database.query('UPDATE nestjs_emails.webhook_events SET due_at = NULL WHERE due_at IS NOT NULL');
      await webhooks.findWork(1_000);
    }
    await database.query('ANALYZE nestjs_emails.webhook_events');
    await record(1);
    expect(await webhooks.findWork(1_000)).toEqual([{ id, isDue: true }]);
    expect(pages.get('all')).toBeLessThan(FEW);
    const { events } = await webhooks.read({ id, fence: 1 }, 10, []);
    expect(events).toHaveLength(1);
    expect(pages.get('all')).toBeLessThan(FEW);
  });
});

describe('an idle process', () => {
  it('queries PostgreSQL up to once a second, for all its workers together', async () => {
    let asked = 0;
    const { hostname, port } = new URL(fromTestRun('TEST_DATABASE_URL'));
    // Without queries of the queue, which has a separate schema.
    const postgresProxy = await TcpProxy.start(hostname, Number(port || 5432), () => ({
      fromClient: async (bytes) => {
        if (bytes.includes('nestjs_emails.')) asked++;
        return bytes;
      },
      fromServer: async (bytes) => bytes,
    }));
    const host = await startHost({ postgresProxy });
    const body = { endpoint: 'https://hooks.example.com', events: ['email.sent'] };
    expect((await host.request('POST', '/webhooks', { body })).status).toBe(201);
    // Minutely tasks run at the start.
    const rest = asked + 10;
    await until(() => asked > rest, { timeout: 60_000 });
    const [before, began] = [asked, performance.now()];
    await until(() => asked >= before + 30, { timeout: 60_000 });
    expect(performance.now() - began).toBeGreaterThan(25_000);
  }, 120_000);
});
