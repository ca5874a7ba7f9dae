import type { QueryRunner } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';
import { dropUnusedSchema } from './schema.js';

/** Definition of each column, by its name. The first word is the type. */
export type Columns = Readonly<Record<string, string>>;

interface TableOptions {
  /** Constraints of more than one column. Default: none. */
  constraints?: readonly string[];
  /** Fast, and empty after a crash of the server. Default: false. */
  unlogged?: boolean;
}

/**
 * Creates a table of the package. An existing one stays, with its rows and further columns: the migration was reverted
 * while the table had rows.
 *
 * @throws Error for another table of this name
 */
export async function makeTable(
  runner: QueryRunner,
  name: string,
  columns: Columns,
  { constraints = [], unlogged = false }: TableOptions = {},
): Promise<void> {
  if (await isThere(runner, name)) return refuseAnother(runner, name, columns);
  const definitions = Object.entries(columns).map(([column, definition]) => `${column} ${definition}`);
  await runner.query(`
    CREATE ${unlogged ? 'UNLOGGED ' : ''}TABLE ${SCHEMA}.${name} (${[...definitions, ...constraints].join(', ')})`);
}

/** Drops tables, those with references first. A table with rows stays, and `makeTable` accepts it again. */
export async function dropEmptyTables(runner: QueryRunner, ...names: string[]): Promise<void> {
  for (const name of names) {
    await runner.query(`
      DO $$ BEGIN
        IF to_regclass('${SCHEMA}.${name}') IS NULL THEN RETURN; END IF;
        LOCK TABLE ${SCHEMA}.${name} IN ACCESS EXCLUSIVE MODE;
        IF NOT EXISTS (SELECT FROM ${SCHEMA}.${name}) THEN DROP TABLE ${SCHEMA}.${name}; END IF;
      END $$`);
  }
  await dropUnusedSchema(runner);
}

async function isThere(runner: QueryRunner, name: string): Promise<boolean> {
  const rows: unknown[] = await runner.query(
    'SELECT FROM pg_class WHERE relname = $1 AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)',
    [name, SCHEMA],
  );
  return rows.length > 0;
}

async function refuseAnother(runner: QueryRunner, name: string, columns: Columns): Promise<void> {
  const types = Object.values(columns).map((definition) => definition.split(' ')[0]?.replace('bigserial', 'bigint'));
  const missing: { name: string }[] = await runner.query(
    `SELECT wanted.name FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (name, type, place)
     WHERE NOT EXISTS (
       SELECT FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attname = wanted.name AND atttypid = to_regtype(wanted.type)::oid
     )
     ORDER BY place`,
    [`${SCHEMA}.${name}`, Object.keys(columns), types],
  );
  if (missing.length === 0) return;
  throw new Error(
    `There is another table named ${SCHEMA}.${name}: it lacks these columns, or has them with another type: ` +
      `${missing.map((column) => column.name).join(', ')}. Give it another name, then migrate again.`,
  );
}
