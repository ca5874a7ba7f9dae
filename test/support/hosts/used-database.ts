import { eventually, until } from '../basics/wait-for.js';
import type { TestDatabase } from '../servers/postgres.js';

/** Timeout of the host's work in progress. Milliseconds. */
const SETTLING = 30_000;
/** For transactions that a test left open. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '10s';";

/** After `STOP_DELIVERIES`: emails with an open attempt. */
const DUE = 'SELECT FROM nestjs_emails.deliveries WHERE due_at IS NOT NULL';

/**
 * A worker with a lease opens an attempt before it sends, and cannot once nothing is due. The lock waits for attempts
 * that are being opened, so that they are visible.
 */
const STOP_DELIVERIES = `DO $$ BEGIN
  ${LOCK_TIMEOUT}
  LOCK TABLE nestjs_emails.deliveries IN EXCLUSIVE MODE;
  UPDATE nestjs_emails.deliveries d SET due_at = NULL, waits_for = NULL
  WHERE due_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM nestjs_emails.attempts a WHERE a.email_id = d.email_id AND a.finished_at IS NULL);
END $$`;

const TABLES = `
SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'bullmq') ORDER BY 1`;

const OBJECTS = `
SELECT md5(string_agg(name, ' ' ORDER BY name)) AS digest FROM (
  SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p', 'v')
  UNION ALL SELECT tgrelid::regclass || '.' || tgname FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT oid::regprocedure::text FROM pg_proc
) AS object(name)`;

/** The database of a host that several test files use, one after the other. */
export class UsedDatabase {
  /** SQL condition for the rows that stay, by table: rows of migrations and of the host's start. Other tables are emptied. */
  private readonly kept: Readonly<Record<string, string>>;

  /** @param token the bootstrap API key of the host */
  constructor(
    private readonly database: TestDatabase,
    token: string,
  ) {
    this.kept = {
      'public.migrations': 'true',
      'public.typeorm_migrations': 'true',
      'nestjs_emails.identity': 'true',
      'nestjs_emails.event_subscriptions': 'account_id IS NULL',
      'nestjs_emails.suppression_keys': 'true',
      // Written by the host's own looks, at any time.
      'nestjs_emails.alarm_looks': 'true',
      'nestjs_emails.operator_counts': 'true',
      'nestjs_emails.operator_account_counts': 'true',
      'nestjs_emails.operator_mailboxes': 'true',
      'nestjs_emails.accounts': `name = 'default'`,
      'nestjs_emails.api_keys': `token_hash = sha256('${token}') AND revoked_at IS NULL`,
    };
  }

  /** Makes sure that nothing is due, and waits until no delivery is in progress. */
  async settle(): Promise<void> {
    const isSettled = async () => {
      await this.database.query(STOP_DELIVERIES);
      return (await this.database.query(DUE)).length === 0;
    };
    await until(isSettled, { timeout: SETTLING, what: 'the last deliveries' });
  }

  /** Removes all rows of tests and of the host. */
  async clear(): Promise<void> {
    const tables = await this.tables();
    const emptied = tables.filter((table) => !this.kept[table]);
    const reduced = tables.filter((table) => this.kept[table]);
    const statement = `DO $$ BEGIN
      ${LOCK_TIMEOUT}
      TRUNCATE ${emptied.join(', ')};
      ${reduced.map((table) => `DELETE FROM ${table} WHERE NOT (${this.kept[table]});`).join('\n')}
    END $$`;
    await eventually(() => this.database.query(statement), { timeout: SETTLING });
  }

  /** Tables with rows that `clear` would remove. */
  async leftovers(): Promise<string[]> {
    const looks = (await this.tables()).map(
      (table) =>
        `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table} WHERE NOT (${this.kept[table] ?? 'false'}))`,
    );
    return (await this.database.query<{ name: string }>(looks.join(' UNION ALL '))).map(({ name }) => name);
  }

  /** A digest of its tables, triggers and functions. */
  async schema(): Promise<string> {
    const [row] = await this.database.query<{ digest: string }>(OBJECTS);
    return row?.digest ?? '';
  }

  private async tables(): Promise<string[]> {
    return (await this.database.query<{ name: string }>(TABLES)).map(({ name }) => name);
  }
}
