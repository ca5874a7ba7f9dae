import { LATEST_SCHEMA_VERSION } from 'bullmq';
import { emailsMigrations } from 'nestjs-emails';
import type { Client } from 'pg';
import { MIGRATIONS_TABLE } from './data-source-options.js';
import { hostMigrations } from './migrations/index.js';

const UNDEFINED_TABLE = '42P01';

/** What `migrate` would still do: names of migrations, the queue's schema among them. Two small reads. */
export async function pendingMigrations(client: Client): Promise<string[]> {
  const executed = new Set(await column<string>(client, `SELECT name AS value FROM ${MIGRATIONS_TABLE}`));
  const pending = [...emailsMigrations, ...hostMigrations]
    .map(({ name }) => name)
    .filter((name) => !executed.has(name));

  const [queueVersion] = await column<number | null>(client, 'SELECT max(version) AS value FROM bullmq.migration');
  return (queueVersion ?? 0) < LATEST_SCHEMA_VERSION ? [...pending, `queue schema ${LATEST_SCHEMA_VERSION}`] : pending;
}

/** The values of one column; none when the table does not exist yet. */
async function column<T>(client: Client, query: string): Promise<T[]> {
  try {
    const { rows } = await client.query<{ value: T }>(query);
    return rows.map(({ value }) => value);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) {
      return [];
    }
    throw error;
  }
}
