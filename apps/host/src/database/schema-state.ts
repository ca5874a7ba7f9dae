import {
  assertSchemaCompatibility,
  DEFAULT_SCHEMA,
  LATEST_SCHEMA_VERSION,
  type PgQueryable,
  SchemaVersionMismatchError,
} from 'bullmq';
import { StartError } from '../shared/errors/start.error.js';
import { MIGRATIONS_TABLE } from './data-source-options.js';
import { tables } from './tables.js';

/**
 * A migration with this name prefix only adds: tables, indexes, columns that are nullable or have a default. The
 * previous version keeps working. A migration that removes or changes waits for a later version, when no process needs
 * the old shape any more.
 */
const EXPANDS = /^Expand/;

/** State of a database's schema relative to this version of the program. */
export interface SchemaState {
  /** Pending migrations of `migrate`, by name, with the queue's schema. */
  pending: string[];
  /** Migrations of a newer version that this one cannot work with. */
  tooNew: string[];
}

/**
 * A few small reads that do not fail for a missing table, which would abort a transaction.
 *
 * @throws StartError when the database is older than the first of these migrations
 */
export async function schemaState(client: PgQueryable): Promise<SchemaState> {
  const executed = await executedMigrations(client);
  const known = tables.migrations.map(({ name }) => name);
  if (executed.some((name) => timeOf(name) < Math.min(...known.map(timeOf)))) {
    throw new StartError(
      'The database was made by an earlier version, whose tables this one cannot use: empty DATA_DIR, or drop the schema ' +
        `nestjs_emails and the table ${MIGRATIONS_TABLE}, then start again.`,
    );
  }
  const pending = known.filter((name) => !executed.includes(name));
  const tooNew = executed.filter((name) => !known.includes(name) && !EXPANDS.test(name));

  const queue = await queueSchema(client);
  if (queue === 'too new') tooNew.push('queue schema');
  else if (queue < LATEST_SCHEMA_VERSION) pending.push(`queue schema ${LATEST_SCHEMA_VERSION}`);
  return { pending, tooNew };
}

/** Order of the migrations. */
const timeOf = (name: string) => Number(name.slice(-13));

async function executedMigrations(client: PgQueryable): Promise<string[]> {
  if (!(await hasTable(client, MIGRATIONS_TABLE))) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE}`);
  return rows.map(({ name }) => name);
}

async function queueSchema(client: PgQueryable): Promise<number | 'too new'> {
  if (!(await hasTable(client, `${DEFAULT_SCHEMA}.migration`))) return 0;
  try {
    return await assertSchemaCompatibility(client);
  } catch (error) {
    if (error instanceof SchemaVersionMismatchError) return 'too new';
    throw error;
  }
}

async function hasTable(client: PgQueryable, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
  return rows[0]?.found ?? false;
}
