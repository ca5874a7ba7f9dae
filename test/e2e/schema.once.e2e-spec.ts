import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareHost, startHost } from '../support/hosts/host.js';
import { runScript } from '../support/hosts/host-process.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = new URL('../../apps/host/dist/database/data-source-options.js', import.meta.url).href;

/** Runs code on the host's own data source, as `dataSource`, and gives back what it returns. */
async function onDataSource<T>({ url }: TestDatabase, code: string): Promise<T> {
  const script = `
    import { DataSource } from 'typeorm';
    const [, options, url] = process.argv;
    const { dataSourceOptions } = await import(options);
    const dataSource = await new DataSource(dataSourceOptions(url)).initialize();
    const result = await (async () => { ${code} })();
    await dataSource.destroy();
    console.log(JSON.stringify(result));`;
  const args = ['--input-type=module', '--eval', script, OPTIONS, url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout) as T;
}

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
    // The rate limiter's own, and the notes about migrations.
    expect(others).toEqual(['nestjs_emails.rate_limits', 'public.typeorm_migrations']);
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

/** The tables that lay in the host's schema before they belonged to modules of the package. */
const MOVED = ['accounts', 'api_keys', 'topics', 'contacts', 'topic_choices', 'templates', 'rate_limits'];

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
    const rows = MOVED.map((table) => query(`SELECT to_jsonb(row) AS row FROM ${schema}.${table} AS row ORDER BY 1`));
    return Promise.all(rows);
  };

  it('keeps every row, and its keys open the same account', async () => {
    const database = await emptyDatabase();
    await runMigrations(database, '!/^(MoveToModules|AccessCreate|AudienceCreate|TemplatesCreate)/.test(name)');
    await database.query(ROWS);
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

  it('is in the end as one that a stranger makes with the modules alone', async () => {
    const stranger = await emptyDatabase();
    await runMigrations(stranger, '/^(AccessCreate|AudienceCreate|TemplatesCreate)/.test(name)');
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
