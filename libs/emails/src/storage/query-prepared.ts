import type { DataSource } from 'typeorm';

/** What node-postgres gives through TypeORM. */
interface Connection {
  query<Row>(statement: { name: string; text: string; values: readonly unknown[] }): Promise<{ rows: Row[] }>;
}

/**
 * Runs a statement that PostgreSQL parses and plans once for each connection. Only for statements whose best plan does
 * not depend on what the tables hold when it is made, such as an insert or a look-up by primary key.
 *
 * @param name the same for the same text, and for no other
 */
export async function queryPrepared<Row>(
  dataSource: DataSource,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const connection: Connection = await runner.connect();
    const { rows } = await connection.query<Row>({ name, text, values });
    return rows;
  } finally {
    await runner.release();
  }
}
