import type { DataSource } from 'typeorm';
import { isKnownFailure, OutcomeUnknownError } from '../../../shared/errors/database-errors.js';
import { type Client, type QueryClass, queryInPieces } from './query-in-pieces.js';

export interface Statement {
  /**
   * Identifies the statement's text: PostgreSQL then parses and plans it once per connection. Only for a statement
   * whose best plan does not depend on the tables' contents, such as an insert or a look-up by primary key. Default:
   * none. Has no effect with a long value.
   */
  name?: string;
  text: string;
  /** The first value may be long: pieces of its text, see `emailsJson`. */
  values: readonly [string | readonly Buffer[], ...string[]];
}

interface Answer<Row> {
  rows: Row[];
}

/**
 * Runs a statement that must not run twice, in a transaction of its own.
 *
 * @throws OutcomeUnknownError when it was sent and the commit is unknown. After any other failure it was not committed.
 */
export async function queryOnce<Row>(dataSource: DataSource, statement: Statement): Promise<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const client: Client = await runner.connect();
    return (await send<Row>(dataSource, client, statement)).rows;
  } finally {
    await runner.release();
  }
}

async function send<Row>(dataSource: DataSource, client: Client, statement: Statement): Promise<Answer<Row>> {
  const { text, values } = statement;
  const [first, ...others] = values;
  try {
    if (typeof first === 'string') return await client.query(statement);
    // A client of `pg-native` cannot send pieces.
    if (!client.connection) return await client.query({ text, values: [Buffer.concat(first), ...others] });
    return await queryInPieces(queryClassOf(dataSource), client, { text, values: [first, ...others] });
  } catch (error) {
    throw isKnownFailure(error) ? error : new OutcomeUnknownError({ cause: error });
  }
}

function queryClassOf({ driver }: DataSource): QueryClass {
  return (driver as unknown as { postgres: { Query: QueryClass } }).postgres.Query;
}
