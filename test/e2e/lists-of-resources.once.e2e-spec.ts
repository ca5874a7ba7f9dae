import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

interface ListBody {
  has_more: boolean;
  data: { id: string }[];
}

/** How a process of any version inserts a row. $1: id, $2: account. */
const INSERT: Readonly<Record<string, string>> = {
  contacts:
    "INSERT INTO nestjs_emails.contacts (id, account_id, email, email_key) VALUES ($1::uuid, $2, $1::uuid || '@a.test', $1::uuid::text)",
  topics:
    "INSERT INTO nestjs_emails.topics (id, account_id, name, default_subscription) VALUES ($1, $2, 'topic', 'opt_in')",
  templates: "INSERT INTO nestjs_emails.templates (id, account_id, name) VALUES ($1, $2, 'template')",
  'api-keys': `INSERT INTO nestjs_emails.api_keys (id, account_id, name, permission, token_hash)
    VALUES ($1::uuid, $2, 'key', 'full_access', decode(md5($1::uuid::text), 'hex'))`,
  webhooks: `INSERT INTO nestjs_emails.webhooks (id, account_id, endpoint, events, status, secrets)
    VALUES ($1, $2, 'https://a.test', '{email.sent}', 'disabled', '[]')`,
};

describe('a list of objects, some of which are committed late', () => {
  let host: RunningHost;
  let accountId: string;

  beforeAll(async () => {
    ({ host } = await shareHost());
    const [account] = await host.query<{ id: string }>("SELECT id FROM nestjs_emails.accounts WHERE name = 'default'");
    accountId = account?.id ?? '';
  });

  async function session() {
    const client = new pg.Client({ connectionString: host.database?.url });
    await client.connect();
    afterFile(() => client.end());
    return client;
  }

  const insert = async (client: pg.Client, path: string, account = accountId) => {
    const id = randomUUID();
    await client.query(INSERT[path] ?? '', [id, account]);
    return id;
  };

  it.each([
    ['contacts', 1_000],
    ['api-keys', 1_000],
    ['webhooks', 1_000],
    ['topics', 20],
    ['templates', 20],
  ])('/%s has up to %i objects without a limit', async (path, most) => {
    const { token, account } = await host.account(`many of ${path}`);
    const client = await session();
    await client.query('BEGIN');
    const ids: string[] = [];
    // The account has a key of its own.
    for (let made = path === 'api-keys' ? 1 : 0; made <= most; made += 1)
      ids.unshift(await insert(client, path, account));
    await client.query('COMMIT');
    const list = async (query: string) => {
      const { body } = await host.request<ListBody>('GET', `/${path}${query}`, { token });
      return { ...body, data: body.data.map(({ id }) => id) };
    };
    const first = await list('');
    expect(first).toMatchObject({ has_more: true, data: ids.slice(0, most) });
    expect((await list(`?after=${first.data.at(-1)}`)).data).toHaveLength(1);
    expect((await list(`?after=${ids[0]}`)).data).toHaveLength(most);
    expect((await list('?limit=5')).data).toEqual(ids.slice(0, 5));
  });

  it('/contacts ends a page at 5 MB', async () => {
    const { token, account } = await host.account('heavy contacts');
    const client = await session();
    await client.query('BEGIN');
    for (let made = 0; made < 30; made += 1) await insert(client, 'contacts', account);
    await client.query(
      `UPDATE nestjs_emails.contacts SET properties = heavy.properties
       FROM (SELECT jsonb_object_agg('k' || n, repeat('x', 2000)) AS properties FROM generate_series(1, 100) AS n) AS heavy
       WHERE account_id = $1`,
      [account],
    );
    await client.query('COMMIT');
    const { text, body } = await host.request<ListBody>('GET', '/contacts', { token });
    expect([body.data.length, body.has_more]).toEqual([24, true]);
    expect(text.length).toBeLessThan(5_000_000);
  });

  /** Resolves when so many sessions wait for an advisory lock. */
  const waiting = (client: pg.Client, count: number) =>
    until(async () => {
      const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
      return (await client.query(sql)).rowCount === count;
    });

  async function idsOf(path: string, query: string): Promise<string[]> {
    const { status, body } = await host.request<ListBody>('GET', `/${path}?${query}`);
    expect(status).toBe(200);
    return body.data.map(({ id }) => id);
  }

  it.each(Object.keys(INSERT))('/%s shows them to a reader that pages upwards', async (path) => {
    const [late, early] = [await session(), await session()];
    await late.query('BEGIN');
    const second = await insert(late, path);
    const first = await insert(early, path);
    expect((await idsOf(path, 'limit=1'))[0]).toBe(first);
    await late.query('COMMIT');
    expect(await idsOf(path, `before=${first}`)).toEqual([second]);
    expect((await idsOf(path, 'limit=2')).slice(0, 2)).toEqual([second, first]);
  });

  it.each(Object.keys(INSERT))('/%s is committed in order, and does not delay others', async (path) => {
    const table = path.replace('-', '_');
    const [gate, slow, quick, other] = await Promise.all([session(), session(), session(), session()]);
    const { rows: accounts } = await other.query<{ id: string }>(
      'INSERT INTO nestjs_emails.accounts (id, name) VALUES (gen_random_uuid(), $1) RETURNING id',
      [`other ${path}`],
    );
    // A commit that waits after the row has its number, until the gate is opened.
    await gate.query('SELECT pg_advisory_lock(1)');
    await gate.query(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER zz_dawdle AFTER INSERT ON nestjs_emails.${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.account_id = '${accountId}') EXECUTE FUNCTION dawdle()`);
    try {
      const [latest] = await idsOf(path, 'limit=1');
      const first = insert(slow, path);
      await waiting(gate, 1);
      const second = insert(quick, path);
      await waiting(gate, 2);
      await insert(other, path, accounts[0]?.id);
      await gate.query('SELECT pg_advisory_unlock(1)');
      const newest = [await second, await first];
      expect(await idsOf(path, latest === undefined ? '' : `before=${latest}`)).toEqual(newest);
    } finally {
      await gate.query('SELECT pg_advisory_unlock_all()');
      await gate.query('DROP FUNCTION dawdle() CASCADE');
    }
  });
});
