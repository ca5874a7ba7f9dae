import type { DataSource } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';
import { type MakingMigration, objectsOf } from './makes.js';

/**
 * All that there is in the package's schema, in the words of `objectsOf`. What PostgreSQL does not use counts as missing:
 * an index that is not valid, a trigger that is disabled.
 */
const CATALOG = `
WITH tables AS (
  SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = '${SCHEMA}' AND c.relkind IN ('r', 'p')
)
SELECT 'table ' || relname AS object FROM tables
UNION ALL SELECT 'column ' || relname || '.' || attname
  FROM tables JOIN pg_attribute ON attrelid = tables.oid WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'index ' || tables.relname || '.' || i.relname
  FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class i ON i.oid = indexrelid WHERE indisvalid
UNION ALL SELECT 'foreign key ' || relname || '.' || conname
  FROM tables JOIN pg_constraint ON conrelid = tables.oid WHERE contype = 'f'
UNION ALL SELECT 'sequence ' || tables.relname || '.' || attname
  FROM tables JOIN pg_attribute ON attrelid = tables.oid
  JOIN pg_depend ON refobjid = tables.oid AND refobjsubid = attnum AND deptype IN ('a', 'i')
  JOIN pg_class s ON s.oid = objid AND s.relkind = 'S'
  WHERE atthasdef OR attidentity <> ''
UNION ALL SELECT 'trigger ' || relname || '.' || tgname
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid WHERE NOT tgisinternal AND tgenabled <> 'D'
UNION ALL SELECT 'function ' || proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
  WHERE n.nspname = '${SCHEMA}'`;

/** What there is in the package's schema. */
export async function schemaObjects(dataSource: Pick<DataSource, 'query'>): Promise<Set<string>> {
  const rows: { object: string }[] = await dataSource.query(CATALOG);
  return new Set(rows.map(({ object }) => object));
}

/**
 * Looks, once and at the start, whether the tables of a module are there and of this version. A data source that the host
 * initializes later is not asked.
 *
 * @param module whose tables they are, for the message
 * @throws Error that names what is missing, and the migrations that make it; or that this is no PostgreSQL
 */
export async function checkSchema(
  module: string,
  dataSource: Pick<DataSource, 'query' | 'isInitialized' | 'options'>,
  migrations: readonly MakingMigration[],
): Promise<void> {
  const { type } = dataSource.options;
  if (type !== 'postgres') {
    throw new Error(`${module} needs a data source of type \`postgres\` (this one is \`${type}\`).`);
  }
  if (!dataSource.isInitialized) return;
  const there = await schemaObjects(dataSource);
  const missing = [...objectsOf(migrations)].filter(([object]) => !there.has(object));
  if (missing.length === 0) return;
  const objects = missing.map(([object]) => object).filter((object) => isWorthNaming(object, there));
  const toRun = migrations
    .map(({ name }) => name)
    .filter((name) => missing.some(([, migration]) => migration === name));
  throw new Error(
    `${module}: the database lacks ${objects.join(', ')} in the schema ${SCHEMA}. Run the migrations before the start: ` +
      `${toRun.join(', ')}. If your table of migrations has them as done, somebody took these things away past them: ` +
      'delete their rows from that table, then run them.',
  );
}

/** A part of a table that is missing itself says nothing new. */
function isWorthNaming(object: string, there: ReadonlySet<string>): boolean {
  const table = / (\w+)\.\w+$/.exec(object)?.[1];
  return table === undefined || there.has(`table ${table}`);
}
