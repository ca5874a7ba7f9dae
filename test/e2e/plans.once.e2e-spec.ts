import { libraryRepository, libraryStatements, type Statement } from '../support/reading/library-statements.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';

/** Emails with a delivery each. $1: account, $2: number, $3: the latest event, $4: time until they are due, or null. */
const FILL = `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, headers, tags, created_at)
  SELECT uuidv7(), $1, '<' || gen_random_uuid() || '@a.test>', 'a@a.test', '{b@b.test}', '{}', '{}', '{}', 'Hello', '[]', '[]', now()
  FROM generate_series(1, $2::integer) AS n
  RETURNING id
)
INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
SELECT id, $3, now() + $4::interval, '[]' FROM made`;

/** Prevents changes of the test's statistics. */
async function databaseWithoutAutovacuum(): Promise<TestDatabase> {
  const database = await freshDatabase();
  for (const table of ['emails', 'deliveries']) {
    await database.query(`ALTER TABLE nestjs_emails.${table} SET (autovacuum_enabled = false)`);
  }
  return database;
}

/** PostgreSQL plans with statistics that are minutes old, and has none for a newer table. */
describe.each([
  ['of a time when nothing waited and the account had sent nothing', true],
  ['that do not exist yet', false],
])('the plans of the statements, by statistics %s', (_, analyzed) => {
  let database: TestDatabase;
  let statements: Map<string, Statement>;

  beforeAll(async () => {
    database = await databaseWithoutAutovacuum();
    if (analyzed) {
      await database.query(FILL, ['another', 20_000, 'sent', null]);
      await database.query('VACUUM ANALYZE');
    }
    await database.query(FILL, ['account', 5_000, 'queued', '-1 minute']);
    await database.query(FILL, ['account', 5_000, 'scheduled', '1 day']);
    statements = await libraryStatements();
  });

  const planOf = async (name: string): Promise<string[]> => {
    const statement = statements.get(name);
    if (!statement) throw new Error(`The library asks no such question: ${name}.`);
    const { sql, params } = statement;
    const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${sql}`, params);
    return rows.map((row) => row['QUERY PLAN'].trim());
  };

  /** The lines of a plan about the index of due emails, with their conditions. */
  const readingOfDue = async (name: string): Promise<string[]> => {
    const lines = await planOf(name);
    return lines.flatMap((line, at) => (line.includes('deliveries_due') ? [`${line}, ${lines[at + 1]}`] : []));
  };

  it.each(['lease', 'wake-ups', 'open attempts', 'check attempts', 'withdraw attempts', 'extend leases', 'close'])(
    '%s: reads only the requested ones',
    async (name) => {
      expect(await readingOfDue(name)).toEqual([]);
    },
  );

  it('sweep on: starts at its position and stops at those that are due later', async () => {
    expect(await readingOfDue('sweep on')).toEqual([expect.stringMatching(/Index Cond: .*due_at <= .*due_at >= /)]);
  });

  // Without statistics the planner expects few, and sorting few is cheap.
  if (analyzed) {
    it.each(['sweep', 'sweep on'])('%s: sorts nothing, though thousands are due at the same moment', async (name) => {
      const plan = await planOf(name);
      const limit = plan.findIndex((line) => line.includes('Limit'));
      expect(plan.slice(limit).filter((line) => line.includes('Sort') || line.includes('Seq Scan'))).toEqual([]);
      expect(await readingOfDue(name)).toEqual([expect.stringMatching(/Index Scan using deliveries_due/)]);
    });
  }

  it.each(['sweep', 'due emails'])('%s: stops at those that are due later', async (name) => {
    expect(await readingOfDue(name)).toEqual([expect.stringMatching(/Index Cond: \(due_at <= /)]);
  });

  it.each(['first page', 'older page', 'newer page'])('%s: reads emails in the order of the index', async (name) => {
    const plan = await planOf(name);
    expect(plan).toEqual(expect.arrayContaining([expect.stringContaining('using emails_by_account')]));
    expect(plan.filter((line) => line.includes('Sort'))).toEqual([]);
  });
});

describe('the plans of the sweep, by statistics of an outage with a large backlog', () => {
  it.each(['sweep', 'sweep on'])('%s: reads no whole table to check for waiting emails', async (name) => {
    const database = await databaseWithoutAutovacuum();
    const { sql, params } = (await libraryStatements()).get(name) as Statement;
    await database.query(FILL, ['account', 5_000, 'delivery_delayed', '5 minutes']);
    await database.query('UPDATE nestjs_emails.deliveries SET waits_for = $1, waits_from = now()', [params[3]]);
    await database.query('VACUUM ANALYZE');
    await database.query('UPDATE nestjs_emails.deliveries SET waits_for = NULL, waits_from = NULL, due_at = NULL');
    const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${sql}`, params);
    expect(rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Seq Scan'))).toEqual([]);
  });
});

describe('the plans of quotas, with many accounts and emails', () => {
  let database: TestDatabase;
  const asked: Statement[] = [];
  const query = async (sql: string, params: readonly unknown[]) => {
    asked.push({ sql, params });
    return [];
  };

  beforeAll(async () => {
    database = await databaseWithoutAutovacuum();
    await database.query(FILL, ['account', 20_000, 'sent', null]);
    await database.query(`
      INSERT INTO nestjs_emails.quota_counts (account_id, counted_seq, day, month, changed_at)
      SELECT 'account ' || n, 0, now()::date, date_trunc('month', now())::date, now() - interval '1 hour'
      FROM generate_series(1, 20_000) AS n`);
    await database.query('VACUUM ANALYZE');
  });

  it.each([
    ['a request', 'read', [['account']]],
    ['the count of each second', 'fold', [['account']]],
    ['the look for alarms', 'changed', [['account'], Date.now() - 60_000]],
  ])('%s: reads the accounts and emails that it needs', async (_, method, given) => {
    const quotas = await libraryRepository('accept/quota.repository', 'QuotaRepository', { query });
    asked.splice(0);
    await quotas[method](...given);
    for (const { sql, params } of asked) {
      const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${sql}`, params);
      expect(rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Seq Scan'))).toEqual([]);
    }
  });
});
