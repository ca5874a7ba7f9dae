import type { QueryRunner } from 'typeorm';
import { SCHEMA } from '../rows/schema.js';

/** Held by whoever makes tables of the package, until his transaction ends. `make` in ASCII. */
const MIGRATION_LOCK = 0x6d616b65;

/**
 * Makes the schema of the package's tables unless it is there. Processes of a host that migrate at the same time take
 * turns; a role that may make no schema works in one that an administrator gave it.
 */
export async function makeSchema(runner: QueryRunner): Promise<void> {
  await runner.query(`
    DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(${MIGRATION_LOCK});
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') THEN
        CREATE SCHEMA ${SCHEMA};
      END IF;
    END $$`);
}

/** Drops what the package's modules share, as far as none of them uses it any more, and the schema when it is empty. */
export async function dropUnusedSchema(runner: QueryRunner): Promise<void> {
  for (const shared of [`FUNCTION IF EXISTS ${SCHEMA}.number_at_commit()`, `SCHEMA IF EXISTS ${SCHEMA}`]) {
    await runner.query(`
      DO $$ BEGIN
        DROP ${shared};
      EXCEPTION WHEN dependent_objects_still_exist OR insufficient_privilege THEN NULL;
      END $$`);
  }
}
