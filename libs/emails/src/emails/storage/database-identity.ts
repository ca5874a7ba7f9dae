import type { DataSource, EntityManager } from 'typeorm';

const IDENTITY = 'SELECT id FROM nestjs_emails.identity';

/** The same database, and no copy of it on the same server. False, and no error, where there is no identity, or none for this role. */
const HAS_IDENTITY = `
SELECT EXISTS (
  SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'nestjs_emails' AND c.relname = 'identity'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
) AS found`;
const DATABASE = `
SELECT i.id || ' ' || d.oid AS database FROM nestjs_emails.identity i, pg_database d WHERE d.datname = current_database()`;

/**
 * The UUID that a migration gave this database.
 *
 * @throws Error when somebody deleted it
 */
export async function databaseIdentity(dataSource: Pick<DataSource, 'query'>): Promise<string> {
  const [row]: { id: string }[] = await dataSource.query(IDENTITY);
  if (row) return row.id;
  throw new Error(
    'The database has no identity, which the names of its queues carry. Give it one: ' +
      'INSERT INTO nestjs_emails.identity DEFAULT VALUES',
  );
}

/** Tells transactions on the database of the emails from those on others. */
export class SameDatabase {
  private readonly known = new WeakMap<DataSource, Promise<boolean>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Another data source of the host may be one onto the same database: the database is asked, once for each.
   *
   * @param transaction with a query runner
   */
  has(transaction: EntityManager): boolean | Promise<boolean> {
    const other = transaction.queryRunner?.connection;
    if (other === this.dataSource) return true;
    if (other?.options.type !== 'postgres') return false;
    const known = this.known.get(other) ?? this.compare(transaction);
    this.known.set(other, known);
    known.catch(() => this.known.delete(other));
    return known;
  }

  /** Asks within the transaction, which may have the only connection; what it cannot answer is asked of no one. */
  private async compare(transaction: EntityManager): Promise<boolean> {
    const [is]: { found: boolean }[] = await transaction.query(HAS_IDENTITY);
    if (!is?.found) return false;
    const [theirs]: { database: string }[] = await transaction.query(DATABASE);
    const [ours]: { database: string }[] = await this.dataSource.query(DATABASE);
    return theirs !== undefined && theirs.database === ours?.database;
  }
}
