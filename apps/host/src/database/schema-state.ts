import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  SchemaMigrationRequiredError,
  SchemaVersionMismatchError,
} from 'bullmq';
import { emailsMigrations } from 'nestjs-emails';
import type { Client } from 'pg';
import { MIGRATIONS_TABLE } from './data-source-options.js';
import { hostMigrations } from './migrations/index.js';

const UNDEFINED_TABLE = '42P01';

/**
 * A migration whose name begins so only adds: tables, indexes, columns that are nullable or have a default. The version
 * before it works on. What takes away or changes waits for a later version, when nobody needs the old shape any more.
 */
const EXPANDS = /^Expand/;

/** How the schema of a database relates to this version of the program. */
export interface SchemaState {
  /** What `migrate` would still do: names of migrations, the queue's schema among them. */
  pending: string[];
  /** What a newer version did that this one cannot work with. */
  tooNew: string[];
}

/** Two small reads. */
export async function schemaState(client: Client): Promise<SchemaState> {
  const executed = await executedMigrations(client);
  const known = [...emailsMigrations, ...hostMigrations].map(({ name }) => name);
  const pending = known.filter((name) => !executed.includes(name));
  const tooNew = executed.filter((name) => !known.includes(name) && !EXPANDS.test(name));

  const queue = await queueSchema(client);
  if (queue === 'too new') tooNew.push('queue schema');
  else if (queue < LATEST_SCHEMA_VERSION) pending.push(`queue schema ${LATEST_SCHEMA_VERSION}`);
  return { pending, tooNew };
}

async function executedMigrations(client: Client): Promise<string[]> {
  try {
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE}`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

async function queueSchema(client: Client): Promise<number | 'too new'> {
  try {
    return await assertSchemaCompatibility(client);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    if (error instanceof SchemaVersionMismatchError) return 'too new';
    throw error;
  }
}
