import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { DatabaseClient } from './database-client.js';
import { tables } from './tables.js';

/** Connection timeout. Bounds a request's wait for a database that does not answer. Milliseconds. */
export const CONNECTION_TIMEOUT = 5_000;

/** TypeORM's table of executed migrations, of the modules and of the host. */
export const MIGRATIONS_TABLE = 'typeorm_migrations';

/** Longest wait for an answer of PostgreSQL, in milliseconds. */
const ANSWER_TIMEOUT = 20_000;

/**
 * Connection settings that the pools of TypeORM and of the queue share. The server cancels a statement after 15 s; if
 * that fails, the client gives up after 20 s.
 */
export const poolSettings = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CONNECTION_TIMEOUT,
  statement_timeout: 15_000,
  query_timeout: ANSWER_TIMEOUT,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** The host's data source. Never synchronizes. */
export function dataSourceOptions(url: string): DataSourceOptions {
  const logger = new Logger('Database');
  return {
    type: 'postgres',
    url,
    applicationName: 'nestjs-emails-host',
    ...tables,
    // None is needed. TypeORM would create one, for which not every role has the right.
    installExtensions: false,
    migrationsTableName: MIGRATIONS_TABLE,
    logging: false,
    connectTimeoutMS: CONNECTION_TIMEOUT,
    // An idle connection that breaks is replaced at its next use.
    poolErrorHandler: () => logger.debug('An idle connection to PostgreSQL was lost.'),
    extra: {
      ...poolSettings,
      max: 20,
      idleTimeoutMillis: ANSWER_TIMEOUT,
      stream: socketWithTimeout,
      Client: DatabaseClient,
    },
  };
}

/**
 * After a client timeout TypeORM returns the connection with its pending statement to the pool. A connection that was
 * silent for so long is dead, even if TCP does not notice: it is closed, and the pool opens another.
 */
function socketWithTimeout(): Socket {
  const socket = new Socket();
  return socket.setTimeout(ANSWER_TIMEOUT, () => socket.destroy());
}
