import type { DataSource } from 'typeorm';
import { isKnownFailure, OutcomeUnknownError } from '../../shared/errors/database-errors.js';

export interface Statement {
  /**
   * The same for the same text, and for no other: PostgreSQL then parses and plans it once for each connection. Only for
   * a statement whose best plan does not depend on what the tables hold when it is made, such as an insert or a look-up
   * by primary key. Default: none.
   */
  name?: string;
  text: string;
  values: readonly unknown[];
}

/** What node-postgres gives through TypeORM. */
interface Connection {
  query<Row>(statement: Statement): Promise<{ rows: Row[] }>;
}

/**
 * Runs a statement that must not be run twice, in a transaction of its own.
 *
 * @throws OutcomeUnknownError when it was sent and nobody knows whether it was committed. After any other failure it was
 * not.
 */
export async function queryOnce<Row>(dataSource: DataSource, statement: Statement): Promise<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const connection: Connection = await runner.connect();
    return await send(connection, statement);
  } finally {
    await runner.release();
  }
}

async function send<Row>(connection: Connection, statement: Statement): Promise<Row[]> {
  try {
    return (await connection.query<Row>(statement)).rows;
  } catch (error) {
    throw isKnownFailure(error) ? error : new OutcomeUnknownError({ cause: error });
  }
}
