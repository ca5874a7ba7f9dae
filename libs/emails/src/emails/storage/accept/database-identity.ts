import type { DataSource } from 'typeorm';

const IDENTITY = 'SELECT id FROM nestjs_emails.identity';

/**
 * The UUID that a migration gave this database.
 *
 * @throws Error when the row was deleted
 */
export async function databaseIdentity(dataSource: Pick<DataSource, 'query'>): Promise<string> {
  const [row]: { id: string }[] = await dataSource.query(IDENTITY);
  if (row) return row.id;
  throw new Error(
    'The database has no identity, which the names of its queues carry. Give it one: ' +
      'INSERT INTO nestjs_emails.identity DEFAULT VALUES',
  );
}
