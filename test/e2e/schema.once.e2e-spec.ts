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

/** The tables that lay in the host's schema before they belonged to modules of the package. */
const MOVED = ['accounts', 'api_keys', 'topics', 'contacts', 'topic_choices', 'templates', 'rate_limits'];

const OF_WEBHOOKS = ['webhooks', 'webhook_events', 'webhook_payloads', 'webhook_attempts'];

const difference = (database: TestDatabase) =>
  onDataSource<{ up: string[]; entities: string[] }>(
    database,
    `const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
     return { up: upQueries.map(({ query }) => query), entities: dataSource.entityMetadatas.map(({ tablePath }) => tablePath) };`,
  );

/** Tables, columns, constraints and indexes of library and host, in words that can be compared. */
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

/** Runs migrations of the host and of the modules, those alone whose names `where` takes, as code. */
const runMigrations = (database: TestDatabase, where: string) =>
  onDataSource(
    database,
    `const { migrations } = dataSource.options;
     dataSource.setOptions({ migrations: migrations.filter(({ name }) => ${where}) });
     await dataSource.buildMetadatas();
     return (await dataSource.runMigrations({ transaction: 'all' })).length;`,
  );

/** What a stranger takes who has the modules and no emails, as code. */
const MODULES =
  '/^(AccessCreate|AudienceCreate|TemplatesCreate|ExpandVisibilityAndProperties|ExpandWebhook|ExpandPublished|ExpandSessions)/.test(name)';

/** How many these are. */
const OF_MODULES = 9;

/** What came with the modules and after them, as code. */
const SINCE_MODULES = 'Number(name.slice(-13)) >= 1764100000000';

/** Takes back the last of the migrations whose names `where` takes. */
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

/** Until so many different sessions have waited for a lock. */
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

  it('has an entity or a keeper for every table', async () => {
    const database = await freshDatabase();
    const { entities } = await difference(database);
    const known = entities.map((path) => (path.includes('.') ? path : `public.${path}`));
    const others = (await tablesOf(database)).filter((name) => !known.includes(name) && !name.startsWith('bullmq.'));
    // Those that are only asked in SQL, the database's own, the rate limiter's, and the notes about migrations.
    expect(others).toEqual([
      'nestjs_emails.ended_sessions',
      'nestjs_emails.erased_contents',
      'nestjs_emails.event_outbox',
      'nestjs_emails.event_subscriptions',
      'nestjs_emails.identity',
      'nestjs_emails.rate_limits',
      'public.typeorm_migrations',
    ]);
  });

  it('consists of what the migrations say that they make, and nothing else', async () => {
    const { made, there } = await onDataSource<{ made: string[]; there: string[] }>(
      await freshDatabase(),
      `const { objectsOf } = await import(${JSON.stringify(MAKES)});
       const { schemaObjects } = await import(${JSON.stringify(SCHEMA_CHECK)});
       return { made: [...objectsOf(dataSource.options.migrations).keys()].sort(), there: [...await schemaObjects(dataSource)].sort() };`,
    );
    expect(made).toEqual(there);
  });

  it('can be taken back and made again, the same', async () => {
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

  it('keeps what belongs to other modules when that of the emails is taken back', async () => {
    const database = await freshDatabase();
    await database.query("INSERT INTO nestjs_emails.accounts (id, name) VALUES (gen_random_uuid(), 'kept')");
    await onDataSource(
      database,
      `const runner = dataSource.createQueryRunner();
       const ofEmails =
         /^(CreateEmails|NumberAtCommit|ExpandLockOrder|ExpandIdentity|ExpandFilters|ExpandAnswers|ExpandCounts|ExpandMessageIds|ExpandErasures|ExpandWaiting|ExpandOutbox|ExpandUndecided|ExpandErasedContents)/;
       for (const migration of dataSource.migrations.reverse())
         if (ofEmails.test(migration.constructor.name)) await migration.down(runner);
       await runner.release();
       return null;`,
    );
    const tables = (await tablesOf(database)).filter((name) => name.startsWith('nestjs_emails.'));
    expect(tables).toEqual(
      [...MOVED, ...OF_WEBHOOKS, 'ended_sessions'].map((table) => `nestjs_emails.${table}`).sort(),
    );
    expect(await database.query('SELECT name FROM nestjs_emails.accounts')).toEqual([{ name: 'kept' }]);
  });

  it('of a stranger with modules of his choice can be taken back to nothing', async () => {
    const database = await emptyDatabase();
    await runMigrations(database, MODULES);
    await undoMigrations(database, MODULES, OF_MODULES);
    expect(await tablesOf(database)).toEqual(['public.typeorm_migrations']);
    expect(await database.query("SELECT to_regnamespace('nestjs_emails') AS schema")).toEqual([{ schema: null }]);
  });

  it('of a stranger is made in the schema that an administrator gave him', async () => {
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
    // The table of notes is TypeORM's, which takes no turns.
    await runMigrations(database, 'false');
    const ahead = await transactionOn(database, 'CREATE SCHEMA nestjs_emails');
    // Each has connections of its own: PostgreSQL cannot tell them from processes.
    const running = Promise.all([1, 2, 3, 4].map(() => runMigrations(database, MODULES)));
    await untilWaiting(database, 4);
    await ahead.query('ROLLBACK');
    expect(await running).toEqual(Array(4).fill(OF_MODULES));
    await undoMigrations(database, MODULES, OF_MODULES);
    expect(await tablesOf(database)).toEqual(['public.typeorm_migrations']);
  });

  it('takes no table of somebody else for its own, and names it', async () => {
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
      stdout: expect.stringMatching(/^Migrated: .*CreateEmails.*CreateAccounts.*queue schema/),
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

  it('says what is wrong when there is no database, and keeps the password to itself', async () => {
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

const TOKEN = 're_of_the_version_before';

const ROWS = `
  INSERT INTO accounts (id, name) SELECT gen_random_uuid(), 'account ' || n FROM generate_series(1, 3) AS n;
  INSERT INTO api_keys (id, account_id, name, permission, token_hash, last_used_at, revoked_at)
    SELECT gen_random_uuid(), id, 'key of ' || name, 'full_access',
      sha256(CASE name WHEN 'account 1' THEN '${TOKEN}' ELSE name END::bytea), now(), NULLIF(now(), created_at)
    FROM accounts;
  INSERT INTO topics (id, account_id, name, description, default_subscription)
    SELECT gen_random_uuid(), id, 'topic ' || n, NULL, 'opt_in' FROM accounts, generate_series(1, 4) AS n;
  INSERT INTO contacts (id, account_id, email, email_key, first_name, unsubscribed)
    SELECT gen_random_uuid(), id, n || '@Ä.test', n || '@xn--4ca.test', 'Zoë', n % 2 = 0
    FROM accounts, generate_series(1, 50) AS n;
  INSERT INTO topic_choices SELECT contacts.id, topics.id, 'opt_out' FROM contacts JOIN topics USING (account_id);
  INSERT INTO templates (id, account_id, name, alias, html, variables, published)
    SELECT gen_random_uuid(), id, 'template', 'alias', '<b>x</b>', '[{"key":"A","type":"string"}]', '{"html":"x"}'
    FROM accounts;
  INSERT INTO rate_limits (key, points, expire) VALUES ('rate-limit:x', 7, 1)`;

describe('a database of the version before the modules', () => {
  const rowsIn = async ({ query }: TestDatabase, schema: string) => {
    const rows = MOVED.map((table) =>
      query(
        `SELECT to_jsonb(row) - '{visibility,properties}'::text[] AS row FROM ${schema}.${table} AS row ORDER BY 1`,
      ),
    );
    return Promise.all(rows);
  };

  async function oldDatabase(rows: string): Promise<TestDatabase> {
    const database = await emptyDatabase();
    await runMigrations(database, `!(${SINCE_MODULES})`);
    await database.query(rows);
    return database;
  }

  it('keeps every row, and its keys open the same account', async () => {
    const database = await oldDatabase(ROWS);
    const before = await rowsIn(database, 'public');
    expect(before.map((rows) => rows.length)).toEqual([3, 3, 12, 150, 600, 3, 1]);

    expect(await migrate(database)).toMatchObject({ code: 0, stdout: expect.stringContaining('MoveToModules') });
    expect(await rowsIn(database, 'nestjs_emails')).toEqual(before);
    expect(await shapeOf(database)).toEqual(await shapeOf(await freshDatabase()));

    const host = await startHost({ env: { DATABASE_URL: database.url } });
    const list = async () =>
      (await host.request<{ data: { email: string }[] }>('GET', '/contacts?limit=100', { token: TOKEN })).body.data;
    expect((await list()).map(({ email }) => email)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${50 - index}@Ä.test`),
    );
    await host.request('POST', '/contacts', { token: TOKEN, body: { email: 'newest@x.test' } });
    expect((await list())[0]?.email).toBe('newest@x.test');
  });

  it.each([
    ['all tables have', ROWS],
    ['some tables have', ROWS.split(';').slice(0, 2).join(';')],
  ])('comes back with its rows and works on, and can move again: %s rows', async (_, rows) => {
    const database = await oldDatabase(rows);
    const shape = await shapeOf(database);
    const before = await rowsIn(database, 'public');
    expect(await migrate(database)).toMatchObject({ code: 0 });
    const newShape = await shapeOf(database);

    const [since] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM typeorm_migrations WHERE timestamp >= 1764100000000',
    );
    await undoMigrations(database, 'true', since?.count ?? 0);
    expect(await shapeOf(database)).toEqual(shape);
    expect(await rowsIn(database, 'public')).toEqual(before);
    // The trigger numbers again, as the version before did.
    await database.query(`
      INSERT INTO topics (id, seq, account_id, name, default_subscription)
      SELECT gen_random_uuid(), -1, id, 'newest', 'opt_in' FROM accounts LIMIT 1`);
    expect(await database.query("SELECT seq > 0 AS numbered FROM topics WHERE name = 'newest'")).toEqual([
      { numbered: true },
    ]);
    await database.query("DELETE FROM topics WHERE name = 'newest'");

    expect(await migrate(database)).toMatchObject({ code: 0 });
    expect(await rowsIn(database, 'nestjs_emails')).toEqual(before);
    expect(await shapeOf(database)).toEqual(newShape);
  });

  it('is rewritten once, when nobody reads it any more, and its statistics are made anew', async () => {
    const database = await oldDatabase(ROWS);
    // A sequence goes on also in a transaction that is rolled back.
    await database.query(`
      CREATE SEQUENCE rewrites;
      CREATE FUNCTION count_rewrite() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('public.rewrites'); END $$;
      CREATE EVENT TRIGGER count_rewrite ON table_rewrite EXECUTE FUNCTION count_rewrite()`);
    // As `pg_dump` does.
    const reader = await transactionOn(database, 'LOCK TABLE templates IN ACCESS SHARE MODE');
    const running = migrate(database);
    await untilWaiting(database, 2);
    await reader.query('COMMIT');
    expect(await running).toMatchObject({ code: 0 });
    expect(await database.query('SELECT last_value::int AS rewritten FROM rewrites')).toEqual([{ rewritten: 4 }]);
    const known = await database.query(
      "SELECT tablename FROM pg_stats WHERE schemaname = 'nestjs_emails' AND attname = 'account_id' ORDER BY 1",
    );
    expect(known).toEqual(['api_keys', 'contacts', 'templates', 'topics'].map((tablename) => ({ tablename })));
  });

  it("names the operator's objects that are in the way, does nothing, and moves on without them", async () => {
    const database = await oldDatabase(ROWS);
    await database.query(`
      CREATE VIEW contact_counts AS SELECT account_id, count(*) FROM contacts GROUP BY account_id;
      CREATE MATERIALIZED VIEW all_topics AS SELECT * FROM topics;
      CREATE POLICY own_contacts ON contacts USING (account_id = current_setting('app.account')::uuid);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER note_moves BEFORE UPDATE OF account_id ON contacts FOR EACH ROW EXECUTE FUNCTION note();
      CREATE PUBLICATION some_contacts FOR TABLE contacts WHERE (account_id IS NOT NULL);
      CREATE TABLE notes (account_id uuid, seq bigint,
        CONSTRAINT notes_contact_fkey FOREIGN KEY (account_id, seq) REFERENCES contacts (account_id, seq));
      CREATE FUNCTION contacts_of(account uuid) RETURNS bigint
        BEGIN ATOMIC SELECT count(*) FROM contacts WHERE account_id = account; END;
      ALTER TABLE templates ADD COLUMN owner text GENERATED ALWAYS AS (account_id::text) STORED;
      CREATE INDEX some_keys ON api_keys (name) WHERE account_id <> '00000000-0000-4000-8000-000000000000';
      ALTER TABLE topics ADD CONSTRAINT no_nobody CHECK (account_id <> '00000000-0000-4000-8000-000000000000');
      CREATE TABLE mine (id uuid, seq bigserial, account_id uuid);
      CREATE CONSTRAINT TRIGGER number_mine AFTER INSERT ON mine
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION number_at_commit();
      -- None of these are in the way.
      CREATE VIEW addresses AS SELECT id, email FROM contacts;
      CREATE TABLE billing (account_id uuid CONSTRAINT billing_account_fkey REFERENCES accounts);
      CREATE INDEX contacts_by_name ON contacts (account_id, last_name);
      ALTER TABLE templates DROP CONSTRAINT templates_account_fkey;
      DROP TRIGGER number_at_commit ON templates`);
    const { code, output } = await migrate(database);
    expect(code).toBe(1);
    for (const name of ['contact_counts', 'all_topics', 'own_contacts', 'note_moves', 'some_contacts', 'contacts_of']) {
      expect(output).toContain(name);
    }
    for (const name of [
      'some_keys',
      'no_nobody',
      'notes_contact_fkey',
      'number_mine',
      'column owner of table templates',
    ]) {
      expect(output).toContain(name);
    }
    expect(output).not.toMatch(/addresses|billing|contacts_by_name|_account_fkey|number_at_commit on|at .*\.js/);
    expect(await database.query('SELECT count(*)::int AS contacts FROM contacts')).toEqual([{ contacts: 150 }]);

    await database.query(`
      DROP VIEW contact_counts; DROP MATERIALIZED VIEW all_topics; DROP POLICY own_contacts ON contacts;
      DROP TRIGGER note_moves ON contacts; DROP PUBLICATION some_contacts; DROP TABLE notes; DROP TABLE mine;
      DROP FUNCTION contacts_of; ALTER TABLE templates DROP COLUMN owner;
      DROP INDEX some_keys; ALTER TABLE topics DROP CONSTRAINT no_nobody`);
    expect(await migrate(database)).toMatchObject({ code: 0, output: expect.stringContaining('MoveToModules') });
  });

  it('is in the end as one that a stranger makes with the modules alone', async () => {
    const stranger = await emptyDatabase();
    await runMigrations(stranger, MODULES);
    const shape = (await shapeOf(stranger)).filter(({ what }) => !what.includes('typeorm_migrations'));
    expect(shape.length).toBeGreaterThan(60);
    expect(await shapeOf(await freshDatabase())).toEqual(expect.arrayContaining(shape));
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

  it('names what is missing when only some migrations ran, and starts once they all did', async () => {
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

  it('makes no account either', async () => {
    const database = await emptyDatabase();
    const { code, output } = await runScript('account', ['create', 'x'], { DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(output).toContain('npm run migrate');
  });
});
