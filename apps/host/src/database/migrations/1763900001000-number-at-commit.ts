import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows have a place in a list of their account. */
const TABLES = ['contacts', 'topics', 'templates', 'api_keys'];

/** First key of the advisory lock that puts the commits to one list in the order of `seq`: `list` in ASCII. */
const LIST_ORDER_LOCK = 0x6c697374;

/**
 * Rows are numbered when their transaction commits, one transaction after the other in each list: a smaller `seq` is
 * never committed after a larger one, so that a reader that pages upwards misses nothing. Until the commit nobody waits.
 * What a process of the version before inserts is numbered so too.
 */
export class ExpandNumberAtCommit1763900001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION number_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        list text := format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
      BEGIN
        PERFORM pg_advisory_xact_lock(${LIST_ORDER_LOCK}, hashtext(TG_TABLE_NAME || NEW.account_id));
        EXECUTE format('UPDATE %s SET seq = nextval(pg_get_serial_sequence(%L, ''seq'')) WHERE id = $1', list, list)
          USING NEW.id;
        RETURN NULL;
      END $$;
    `);
    for (const table of TABLES) {
      await runner.query(`
        CREATE CONSTRAINT TRIGGER number_at_commit AFTER INSERT ON ${table}
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION number_at_commit();
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TRIGGER number_at_commit ON ${table}`);
    await runner.query('DROP FUNCTION number_at_commit()');
  }
}
