import pg from 'pg';

const PREFIX = 'stranger: ';

/** Sessions that wait for a foreign session, with their statements. */
const WAITING = `
SELECT DISTINCT holder.application_name AS holder, left(regexp_replace(waiting.query, '\\s+', ' ', 'g'), 60) AS query
FROM pg_stat_activity AS waiting
JOIN pg_stat_activity AS holder ON holder.pid = ANY(pg_blocking_pids(waiting.pid))
WHERE holder.datname = current_database() AND holder.application_name LIKE '${PREFIX}%'`;

/** A foreign session on the same database, in a transaction that lasts until its release. */
export class Stranger {
  private constructor(private readonly client: pg.Client) {}

  /** @param name identifies its task */
  static async connect(url: string, name: string): Promise<Stranger> {
    const client = new pg.Client({ connectionString: url, application_name: `${PREFIX}${name}` });
    // The server may be stopped while the transaction is open.
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    return new Stranger(client);
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.client.query(sql, [...values]);
    return rowCount ?? 0;
  }

  /** Ends the transaction; its changes stay. */
  async commit(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }

  /** Rolls everything back. */
  async release(): Promise<void> {
    await this.client.query('ROLLBACK').catch(() => {});
    await this.client.end();
  }
}

/** Describes the statements that wait for foreign sessions. */
export async function waitingForStrangers(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ holder: string; query: string }>(WAITING);
  return rows.map(({ holder, query }) => `${holder.slice(PREFIX.length)} ← ${query}`).join('; ') || 'nobody waits';
}
