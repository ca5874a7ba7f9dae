import type { DataSource } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';
import { type FeatureMigration, objectsOf } from './makes.js';
import { EARLIER_INDEX, EARLIER_REFUSAL } from './schema.js';

/**
 * All objects in the package's schema, in the notation of `objectsOf`. An object that PostgreSQL does not use, such as
 * an invalid index or a disabled trigger, counts as missing.
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

/** Objects of the package's schema. */
export async function schemaObjects(dataSource: Pick<DataSource, 'query'>): Promise<Set<string>> {
  const rows: { object: string }[] = await dataSource.query(CATALOG);
  return new Set(rows.map(({ object }) => object));
}

/**
 * Checks once at the start whether the tables of a module exist in this version. A data source that the host
 * initializes later is not queried.
 *
 * @param module owner of the tables, for the message
 * @throws Error that names the missing objects and their migrations, another kind of database, or a schema of an
 * earlier version
 */
export async function checkSchema(
  module: string,
  dataSource: Pick<DataSource, 'query' | 'isInitialized' | 'options'> & Partial<Pick<DataSource, 'migrations'>>,
  migrations: readonly FeatureMigration[],
): Promise<void> {
  const { type } = dataSource.options;
  if (type !== 'postgres') {
    throw new Error(`${module} needs a data source of type \`postgres\` (this one is \`${type}\`).`);
  }
  if (!dataSource.isInitialized) return;
  const there = await schemaObjects(dataSource);
  if (there.has(`index deliveries.${EARLIER_INDEX}`)) throw new Error(`${module}: ${EARLIER_REFUSAL}`);
  const missing = [...objectsOf(migrations)].filter(([object]) => !there.has(object));
  if (missing.length === 0) return;
  const objects = missing.map(([object]) => object).filter((object) => isWorthNaming(object, there));
  const toRun = migrations
    .map(({ name }) => name)
    .filter((name) => missing.some(([, migration]) => migration === name));
  const listed = new Set(dataSource.migrations?.map((migration) => migration.constructor.name));
  const hint = toRun.every((name) => listed.has(name))
    ? ''
    : ' The data source does not have them: give the one that migrates `...emailsDatabase({ features })`, with the features ' +
      'that there are.';
  throw new Error(
    `${module}: the database lacks ${objects.join(', ')} in the schema ${SCHEMA}. Run the migrations before the start: ` +
      `${toRun.join(', ')}.${hint} If your table of migrations has them as done, the objects were dropped by other means: ` +
      'delete their rows from that table, then run them.',
  );
}

/** A part of a missing table adds no information. */
function isWorthNaming(object: string, there: ReadonlySet<string>): boolean {
  const table = / (\w+)\.\w+$/.exec(object)?.[1];
  return table === undefined || there.has(`table ${table}`);
}
