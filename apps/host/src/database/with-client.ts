import { Client } from 'pg';
import { databaseProblem } from '../shared/errors/database-problem.js';
import { StartError } from '../shared/errors/start.error.js';
import { CONNECTION_TIMEOUT } from './data-source-options.js';

/**
 * Runs `work` on a separate connection, outside of any pool.
 *
 * @throws StartError when the database cannot be reached
 */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    keepAlive: true,
    application_name: 'nestjs-emails-host',
  });
  // A connection lost between two statements makes the next one fail, which is handled there.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(`DATABASE_URL: PostgreSQL cannot be used: ${databaseProblem(error)}.`, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
