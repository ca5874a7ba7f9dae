import { rm } from 'node:fs/promises';
import pg from 'pg';

/** Tables of the product and of its queue. */
const TABLES = `
SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;
const SEQUENCES = `
SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value FROM pg_sequences
WHERE last_value IS NOT NULL`;
const XID = 'SELECT pg_current_xact_id()::text::bigint::float8 AS xid';
/** Consumes transaction ids. */
const CONSUME = `
DO $$ BEGIN
  FOR count IN 1..20000 LOOP
    PERFORM pg_current_xact_id();
    COMMIT;
  END LOOP;
END $$`;

/**
 * Copies the rows of a database into one of the same schema in another cluster, whose transaction ids are lower: in one
 * snapshot and without triggers, as `pg_dump` and `pg_restore` do. Both clusters are on this machine.
 */
export async function restore(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([connect(from), connect(to)]);
  try {
    await source.query('SET synchronous_commit = off');
    await source.query(CONSUME);
    const { rows: tables } = await source.query<{ name: string }>(TABLES);
    const names = tables.map(({ name }) => name);
    await target.query('SET session_replication_role = replica');
    await target.query(`TRUNCATE ${names.join()}`);
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const name of names) await copy(source, target, name);
    const { rows: sequences } = await source.query<{ name: string; value: string }>(SEQUENCES);
    for (const { name, value } of sequences) await target.query('SELECT setval($1, $2)', [name, value]);
    await source.query('COMMIT');
    if ((await xidOf(target)) >= (await xidOf(source)))
      throw new Error('The transaction ids of the new cluster are not lower.');
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** The file is in the data directory of the source, which only the user of the servers can read. */
async function copy(source: pg.Client, target: pg.Client, table: string): Promise<void> {
  const { rows } = await source.query<{ file: string }>(`SELECT current_setting('data_directory') || '/copy' AS file`);
  const file = rows[0]?.file ?? '';
  await source.query(`COPY ${table} TO '${file}'`);
  await target.query(`COPY ${table} FROM '${file}'`);
  await rm(file);
}

async function xidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ xid: number }>(XID);
  return rows[0]?.xid ?? 0;
}
