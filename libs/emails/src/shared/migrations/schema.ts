import type { QueryRunner } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';

/** Advisory lock of a transaction that creates tables of the package (`make` in ASCII). */
const MIGRATION_LOCK = 0x6d616b65;

/** An index that exists only in schemas of an earlier version. */
export const EARLIER_INDEX = 'deliveries_unindexed';
/** Refusal of such a schema. */
export const EARLIER_REFUSAL = `The schema ${SCHEMA} was made by an earlier version, whose tables this one cannot use: drop it, then run the migrations.`;

/**
 * Creates the schema of the package's tables unless it exists. Processes of a host that migrate at the same time take
 * turns; a role without the right to create a schema uses one that an administrator created.
 *
 * @throws Error for a schema of an earlier version
 */
export async function makeSchema(runner: QueryRunner): Promise<void> {
  const earlier: unknown[] = await runner.query(`SELECT WHERE to_regclass('${SCHEMA}.${EARLIER_INDEX}') IS NOT NULL`);
  if (earlier.length > 0) throw new Error(EARLIER_REFUSAL);
  await runner.query(`
    DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(${MIGRATION_LOCK});
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN
        CREATE SCHEMA ${SCHEMA};
      END IF;
    END $$`);
}

/** Drops the shared objects that no module of the package uses any more, and the schema when it is empty. */
export async function dropUnusedSchema(runner: QueryRunner): Promise<void> {
  for (const shared of [`FUNCTION IF EXISTS ${SCHEMA}.number_at_commit()`, `SCHEMA IF EXISTS ${SCHEMA}`]) {
    await runner.query(`
      DO $$ BEGIN
        DROP ${shared};
      EXCEPTION WHEN dependent_objects_still_exist OR insufficient_privilege THEN NULL;
      END $$`);
  }
}
