import type { QueryRunner } from 'typeorm';
import { SCHEMA } from './schema.js';

/** First key of the advisory lock that orders the commits to one list by `seq` (`list` in ASCII). */
const LIST_ORDER_LOCK = 0x6c697374;

/**
 * Numbers the rows of a table when their transaction commits, one transaction after the other in each list: a smaller
 * `seq` is never committed after a larger one, so that a reader that pages upwards misses no row. No transaction waits
 * before its commit.
 */
export async function numberAtCommit(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE FUNCTION ${SCHEMA}.number_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      list text := format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
    BEGIN
      PERFORM pg_advisory_xact_lock(${LIST_ORDER_LOCK}, hashtext(TG_TABLE_NAME || NEW.account_id));
      EXECUTE format('UPDATE %s SET seq = nextval(pg_get_serial_sequence(%L, ''seq'')) WHERE id = $1', list, list)
        USING NEW.id;
      RETURN NULL;
    END $$;

    DROP TRIGGER IF EXISTS number_at_commit ON ${SCHEMA}.${table};
    CREATE CONSTRAINT TRIGGER number_at_commit AFTER INSERT ON ${SCHEMA}.${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.number_at_commit();
  `);
}
