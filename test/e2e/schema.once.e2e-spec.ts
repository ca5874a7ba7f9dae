import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { prepareHost, startHost } from '../support/hosts/host.js';
import { onDataSource } from '../support/hosts/host-data-source.js';
import { runScript } from '../support/hosts/host-process.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

const MAKES = new URL('../../libs/emails/dist/shared/migrations/makes.js', import.meta.url).href;
const SCHEMA_CHECK = new URL('../../libs/emails/dist/shared/migrations/schema.check.js', import.meta.url).href;

/** Tables of the modules other than emails. */
const OF_OTHERS = [
  ...['accounts', 'api_keys', 'ended_sessions', 'rate_limits'],
  ...['topics', 'contacts', 'topic_choices', 'templates'],
  ...['suppressions', 'soft_bounces', 'suppression_keys'],
  ...['webhooks', 'webhook_events', 'webhook_payloads', 'webhook_attempts'],
  ...['email_references', 'hook_tokens'],
  ...['domains', 'domain_keys', 'signing_faults'],
  'unmatched_reports',
  ...['reputations', 'suppression_candidates', 'operator_counts', 'operator_account_counts'],
  ...['operator_mailboxes', 'operator_holds'],
];

const difference = (database: TestDatabase) =>
  onDataSource<{ up: string[]; entities: string[] }>(
    database,
    `for (const metadata of dataSource.entityMetadatas) metadata.synchronize = true;
     const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
     return { up: upQueries.map(({ query }) => query), entities: dataSource.entityMetadatas.map(({ tablePath }) => tablePath) };`,
  );

/** Tables, columns, constraints and indexes of library and host, in a comparable form. */
const shapeOf = ({ query }: TestDatabase) =>
  query<{ what: string }>(`
    SELECT format('%s.%s.%s %s %s %s', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS what
    FROM information_schema.columns WHERE table_schema IN ('public', 'nestjs_emails')
    UNION ALL SELECT format('%s.%s', schemaname, indexdef) FROM pg_indexes WHERE schemaname IN ('public', 'nestjs_emails')
    UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace::regnamespace::text IN ('public', 'nestjs_emails')
    ORDER BY 1`);

const tablesOf = async ({ query }: TestDatabase) =>
  (
    await query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** Code that runs the migrations of the host and of the modules whose names match `where`. */
const runMigrations = (database: TestDatabase, where: string) =>
  onDataSource(
    database,
    `const { migrations } = dataSource.options;
     dataSource.setOptions({ migrations: migrations.filter(({ name }) => ${where}) });
     await dataSource.buildMetadatas();
     return (await dataSource.runMigrations({ transaction: 'all' })).length;`,
  );

/** Entities and migrations of a stranger with the modules and without emails, as code. */
const MODULES = '/^(Access|Audience|Domains|Feedback|Templates|Webhooks)Create/.test(name)';

/** Their number. */
const OF_MODULES = 6;

/** Reverts the last of the migrations whose names match `where`. */
const undoMigrations = (database: TestDatabase, where: string, count: number) =>
  onDataSource(
    database,
    `const { migrations } = dataSource.options;
     dataSource.setOptions({ migrations: migrations.filter(({ name }) => ${where}) });
     await dataSource.buildMetadatas();
     for (let undone = 0; undone < ${count}; undone++) await dataSource.undoLastMigration();
     return null;`,
  );

/** A transaction that is left open after a statement. */
async function transactionOn({ url }: TestDatabase, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  afterFile(() => client.end());
  await client.query('BEGIN');
  await client.query(statement);
  return client;
}

/** Waits until this many different sessions have waited for a lock. */
async function untilWaiting({ query }: TestDatabase, count: number): Promise<void> {
  const waiting = new Set<number>();
  await until(async () => {
    const found = await query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    for (const { pid } of found) waiting.add(pid);
    return waiting.size >= count;
  });
}

const migrate = ({ url }: TestDatabase) => runScript('migrate', [], { DATABASE_URL: url });

describe('the migrated schema', () => {
  it('does not differ from the entities of library and host', async () => {
    const { up, entities } = await difference(await freshDatabase());
    expect(up).toEqual([]);
    expect(entities).toEqual(
      expect.arrayContaining(['nestjs_emails.emails', 'nestjs_emails.attempts', 'nestjs_emails.accounts']),
    );
  });

  it('would show a difference if there was one', async () => {
    const database = await freshDatabase();
    await database.query('ALTER TABLE nestjs_emails.emails DROP COLUMN subject');
    await database.query('DROP INDEX nestjs_emails.deliveries_due');
    const { up } = await difference(database);
    expect(up.join('\n')).toMatch(/"subject" text NOT NULL/);
    expect(up.join('\n')).toContain('deliveries_due');
  });

  it('has an entity or an owner for every table', async () => {
    const database = await freshDatabase();
    const { entities } = await difference(database);
    const known = entities.map((path) => (path.includes('.') ? path : `public.${path}`));
    const others = (await tablesOf(database)).filter((name) => !known.includes(name) && !name.startsWith('bullmq.'));
    // Those that are only asked in SQL, the database's own, the rate limiter's, and the notes about migrations.
    expect(others).toEqual([
      'nestjs_emails.alarm_looks',
      'nestjs_emails.ended_sessions',
      'nestjs_emails.erased_contents',
      'nestjs_emails.erasure_contents',
      'nestjs_emails.event_outbox',
      'nestjs_emails.event_subscriptions',
      'nestjs_emails.identity',
      'nestjs_emails.rate_limits',
      'nestjs_emails.unmatched_reports',
      'public.typeorm_migrations',
    ]);
  });

  it('consists of exactly the objects listed by the migrations', async () => {
    const { made, there } = await onDataSource<{ made: string[]; there: string[] }>(
      await freshDatabase(),
      `const { objectsOf } = await import(${JSON.stringify(MAKES)});
       const { schemaObjects } = await import(${JSON.stringify(SCHEMA_CHECK)});
       return { made: [...objectsOf(dataSource.options.migrations).keys()].sort(), there: [...await schemaObjects(dataSource)].sort() };`,
    );
    expect(made).toEqual(there);
  });

  it('can be reverted and recreated identically', async () => {
    const database = await freshDatabase();
    const before = await shapeOf(database);
    const left = await onDataSource<number>(
      database,
      `const all = await dataSource.query('SELECT name FROM typeorm_migrations');
       for (const _ of all) await dataSource.undoLastMigration();
       return (await dataSource.query('SELECT name FROM typeorm_migrations')).length;`,
    );
    expect(left).toBe(0);
    const tables = await tablesOf(database);
    expect(tables.filter((name) => !name.startsWith('bullmq.'))).toEqual(['public.typeorm_migrations']);

    expect(await migrate(database)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Migrated: /) });
    expect(await shapeOf(database)).toEqual(before);
    const host = await startHost({ env: { DATABASE_URL: database.url } });
    const { status } = await host.request('POST', '/emails', {
      body: { from: 'a@from.test', to: 'b@to.test', subject: 'x', text: 'x' },
    });
    expect(status).toBe(200);
  });

  it('keeps the objects of other modules when that of the emails is reverted', async () => {
    const database = await freshDatabase();
    await database.query("INSERT INTO nestjs_emails.accounts (id, name) VALUES (gen_random_uuid(), 'kept')");
    await onDataSource(
      database,
      `const runner = dataSource.createQueryRunner();
       for (const migration of dataSource.migrations)
         if (migration.constructor.name.startsWith('Emails')) await migration.down(runner);
       await runner.release();
       return null;`,
    );
    const tables = (await tablesOf(database)).filter((name) => name.startsWith('nestjs_emails.'));
    expect(tables).toEqual(OF_OTHERS.map((table) => `nestjs_emails.${table}`).sort());
    expect(await database.query('SELECT name FROM nestjs_emails.accounts')).toEqual([{ name: 'kept' }]);
  });

  it('of a stranger with some of the modules can be reverted to nothing', async () => {
    const database = await emptyDatabase();
    await runMigrations(database, MODULES);
    await undoMigrations(database, MODULES, OF_MODULES);
    expect(await tablesOf(database)).toEqual(['public.typeorm_migrations']);
    expect(await database.query("SELECT to_regnamespace('nestjs_emails') AS schema")).toEqual([{ schema: null }]);
  });

  it('of a stranger is made in the schema that an administrator provided', async () => {
    const database = await emptyDatabase();
    const [row] = await database.query<{ role: string }>("SELECT 'stranger_of_' || current_database() AS role");
    const role = row?.role ?? '';
    await database.query(`
      CREATE ROLE "${role}" LOGIN PASSWORD 'x';
      CREATE SCHEMA nestjs_emails AUTHORIZATION "${role}";
      GRANT CREATE, USAGE ON SCHEMA public TO "${role}"`);
    afterFile(async () => {
      await database.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
    });
    const url = new URL(database.url);
    url.username = role;
    url.password = 'x';
    expect(await runMigrations({ ...database, url: url.href }, MODULES)).toBe(OF_MODULES);
  });

  it('of a stranger is made once by several processes that start together', async () => {
    const database = await emptyDatabase();
    // The migrations table is TypeORM's, which has no lock.
    await runMigrations(database, 'false');
    const ahead = await transactionOn(database, 'CREATE SCHEMA nestjs_emails');
    // Each has separate connections, like a process.
    const running = Promise.all([1, 2, 3, 4].map(() => runMigrations(database, MODULES)));
    await untilWaiting(database, 4);
    await ahead.query('ROLLBACK');
    expect(await running).toEqual(Array(4).fill(OF_MODULES));
    await undoMigrations(database, MODULES, OF_MODULES);
    expect(await tablesOf(database)).toEqual(['public.typeorm_migrations']);
  });

  it('refuses a foreign table with its name, and names it', async () => {
    const database = await emptyDatabase();
    await database.query('CREATE SCHEMA nestjs_emails; CREATE TABLE nestjs_emails.rate_limits (id integer)');
    await expect(runMigrations(database, MODULES)).rejects.toThrow(
      /another table named nestjs_emails\.rate_limits.*: key, points, expire\./,
    );
    expect(await database.query('SELECT * FROM nestjs_emails.rate_limits')).toEqual([]);
    expect(await tablesOf(database)).not.toContain('nestjs_emails.accounts');
  });
});

describe('migrate', () => {
  it('brings an empty database up to date, and then has nothing to do', async () => {
    const database = await emptyDatabase();
    expect(await migrate(database)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrated: .*EmailsCreate.*AccessCreate.*queue schema/),
    });
    const shape = await shapeOf(database);
    expect(await migrate(database)).toEqual({
      code: 0,
      stdout: 'The database is up to date.\n',
      output: 'The database is up to date.\n',
    });
    expect(await shapeOf(database)).toEqual(shape);
  });

  it('that is started three times at once runs every migration once', async () => {
    const database = await emptyDatabase();
    const results = await Promise.all([1, 2, 3].map(() => migrate(database)));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(results.filter(({ stdout }) => stdout.startsWith('Migrated: '))).toHaveLength(1);
    const [row] = await database.query(
      'SELECT count(*)::int AS all, count(DISTINCT name)::int AS different FROM typeorm_migrations',
    );
    expect(row).toEqual({ all: expect.any(Number), different: row?.all });
  });

  it('reports a missing database without the password', async () => {
    const { code, output } = await runScript('migrate', [], { DATABASE_URL: 'postgres://me:canary@127.0.0.1:1/db' });
    expect(code).toBe(1);
    expect(output).toMatch(/DATABASE_URL: PostgreSQL cannot be used: nothing answers/);
    expect(output).not.toContain('canary');
  });

  it('works on the embedded database, before the first start of the host', async () => {
    const host = await prepareHost({ services: 'none' });
    expect(await runScript('migrate', [], host.env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrated: /),
    });
    await host.start();
    await untilShown(host, await post(host, 'to@to.test'), 'delivered');
  });
});

describe('a database of an earlier version', () => {
  const REFUSAL =
    'The database was made by an earlier version, whose tables this one cannot use: empty DATA_DIR, or drop the schema ' +
    'nestjs_emails and the table typeorm_migrations, then start again.';

  it('is refused by the start and by migrate in one sentence, and works once it is empty', async () => {
    const database = await freshDatabase();
    await database.query(`
      UPDATE typeorm_migrations SET timestamp = 1763700000000, name = 'CreateEmails1763700000000'
      WHERE name LIKE 'EmailsCreate%'`);
    const shape = await shapeOf(database);
    for (const role of ['all', 'api', 'worker'] as const) {
      const host = await prepareHost({ role, env: { DATABASE_URL: database.url } });
      const { code, output } = await host.runToEnd();
      expect(code).toBe(1);
      expect(output).toContain(REFUSAL);
    }
    expect(await migrate(database)).toMatchObject({ code: 1, output: expect.stringContaining(REFUSAL) });
    expect(await shapeOf(database)).toEqual(shape);

    await database.query('DROP SCHEMA nestjs_emails CASCADE; DROP TABLE typeorm_migrations');
    expect(await migrate(database)).toMatchObject({ code: 0 });
    expect(await shapeOf(database)).toEqual(shape);
  });
});

describe('a host whose DATABASE_URL is not migrated', () => {
  it.each(['all', 'api', 'worker'] as const)(
    'does not start as ROLE=%s, says what to run, and changes nothing',
    async (role) => {
      const database = await emptyDatabase();
      const host = await prepareHost({ role, env: { DATABASE_URL: database.url } });
      const { code, output } = await host.runToEnd();
      expect(code).toBe(1);
      expect(output).toContain('Run `npm run migrate` with the same DATABASE_URL');
      expect(await tablesOf(database)).toEqual([]);
    },
  );

  it('names missing objects after only some migrations, and starts after all', async () => {
    const database = await freshDatabase();
    const [last] = await database.query<{ name: string }>(
      'SELECT name FROM typeorm_migrations ORDER BY id DESC LIMIT 1',
    );
    await onDataSource(database, 'await dataSource.undoLastMigration(); return null;');
    const host = await prepareHost({ env: { DATABASE_URL: database.url } });
    expect((await host.runToEnd()).output).toContain(`(pending: ${last?.name})`);
    await migrate(database);
    await host.start();
    expect(await host.stop()).toBe(0);
  });

  it('creates no account either', async () => {
    const database = await emptyDatabase();
    const { code, output } = await runScript('account', ['create', 'x'], { DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(output).toContain('npm run migrate');
  });
});
