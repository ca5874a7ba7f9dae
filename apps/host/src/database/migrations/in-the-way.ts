import type { QueryRunner } from 'typeorm';
import { StartError } from '../../shared/errors/start.error.js';

/**
 * What is built on the type of `account_id` or on the function, and is not ours: views, policies, triggers, functions,
 * generated columns, filters of publications, foreign keys, and indexes and checks that compare with a uuid. Other indexes
 * and checks move along.
 */
const IN_THE_WAY = `
  WITH owned AS (SELECT to_regclass(name)::oid AS oid, name FROM unnest($1::text[]) AS name),
  used AS (
    SELECT classid, objid FROM pg_depend
    JOIN owned ON refclassid = 'pg_class'::regclass AND refobjid = owned.oid
    JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid AND attname = 'account_id'
    UNION
    SELECT classid, objid FROM pg_depend
    WHERE refclassid = 'pg_proc'::regclass AND refobjid = to_regprocedure('number_at_commit()')
  )
  SELECT CASE classid WHEN 'pg_rewrite'::regclass
      THEN (SELECT pg_describe_object('pg_class'::regclass, ev_class, 0) FROM pg_rewrite WHERE oid = objid)
      ELSE pg_describe_object(classid, objid, 0) END AS name
  FROM used
  WHERE classid IN ('pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_publication_rel'::regclass, 'pg_proc'::regclass)
    OR classid = 'pg_attrdef'::regclass AND EXISTS (
      SELECT FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_attrdef.oid = objid AND attgenerated <> '')
    OR classid = 'pg_class'::regclass AND EXISTS (
      SELECT FROM pg_index WHERE indexrelid = objid AND pg_get_indexdef(objid) LIKE '%::uuid%')
    OR classid = 'pg_trigger'::regclass AND NOT EXISTS (
      SELECT FROM pg_trigger JOIN owned ON tgrelid = owned.oid
      WHERE pg_trigger.oid = objid AND (tgname = 'number_at_commit' OR tgisinternal))
    OR classid = 'pg_constraint'::regclass AND EXISTS (
      SELECT FROM pg_constraint LEFT JOIN owned ON conrelid = owned.oid
      WHERE pg_constraint.oid = objid AND (
        contype = 'f' AND conname <> coalesce(owned.name, '') || '_account_fkey'
        OR contype = 'c' AND pg_get_constraintdef(objid) LIKE '%::uuid%'))
  ORDER BY name`;

/**
 * Tables are named as they are found by the search path.
 *
 * @throws StartError that names the objects of the database's operator without which the tables can move
 */
export async function refuseWhatIsInTheWay(runner: QueryRunner, owned: readonly string[]): Promise<void> {
  const found: { name: string }[] = await runner.query(IN_THE_WAY, [owned]);
  if (found.length === 0) return;
  throw new StartError(
    `Tables move to the schema nestjs_emails, and their column account_id becomes text. Drop what is built on it, ` +
      `migrate, and make it again: ${found.map(({ name }) => name).join('; ')}.`,
  );
}

/** SQLSTATE of what fails where something nobody thought of is built on the type of a column. */
const BUILT_ON_IT = ['0A000', '2BP01', '42804', '42883'];

/** @throws StartError with the table and what PostgreSQL says, where something else is in the way */
export async function sayInTheWay(table: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (!BUILT_ON_IT.includes(code ?? '')) throw error;
    throw new StartError(
      `The column account_id of ${table} becomes text, and something of yours that is built on it is in the way: ` +
        `${message} (${code}). Drop it, migrate, and make it again.`,
    );
  }
}
