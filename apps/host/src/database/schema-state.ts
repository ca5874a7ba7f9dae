import {
  assertSchemaCompatibility,
  DEFAULT_SCHEMA,
  LATEST_SCHEMA_VERSION,
  type PgQueryable,
  SchemaVersionMismatchError,
} from 'bullmq';
import { MIGRATIONS_TABLE } from './data-source-options.js';
import { migrations } from './modules.js';

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

/** A few small reads, none of which fails where a table is missing: that would end a transaction. */
export async function schemaState(client: PgQueryable): Promise<SchemaState> {
  const executed = await executedMigrations(client);
  const known = migrations.map(({ name }) => name);
  const pending = known.filter((name) => !executed.includes(name));
  const tooNew = executed.filter((name) => !known.includes(name) && !EXPANDS.test(name));

  const queue = await queueSchema(client);
  if (queue === 'too new') tooNew.push('queue schema');
  else if (queue < LATEST_SCHEMA_VERSION) pending.push(`queue schema ${LATEST_SCHEMA_VERSION}`);
  return { pending, tooNew };
}

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
