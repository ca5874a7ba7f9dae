import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { DatabaseClient } from './database-client.js';
import { entities, migrations } from './modules.js';

/** Until a connection stands. Bounds how long a request waits for a database that does not answer. Milliseconds. */
export const CONNECTION_TIMEOUT = 5_000;

/** Where TypeORM notes which migrations ran: those of the modules and of the host. */
export const MIGRATIONS_TABLE = 'typeorm_migrations';

/** Longest wait for an answer of PostgreSQL, in milliseconds. */
const ANSWER_TIMEOUT = 20_000;

/**
 * Connection settings that the pools of TypeORM and of the queue share. A statement is ended by the server after 15 s;
 * when not even that arrives, the client gives up after 20 s.
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
    entities,
    migrations,
    migrationsTableName: MIGRATIONS_TABLE,
    synchronize: false,
    installExtensions: false,
    logging: false,
    connectTimeoutMS: CONNECTION_TIMEOUT,
    // An idle connection that breaks is replaced at its next use.
    poolErrorHandler: () => logger.debug('An idle connection to PostgreSQL was lost.'),
    extra: {
      ...poolSettings,
      max: 20,
      idleTimeoutMillis: ANSWER_TIMEOUT,
      stream: socketThatGivesUp,
      Client: DatabaseClient,
    },
  };
}

/**
 * A statement that the client gave up waiting for goes back into TypeORM's pool with its connection. One on which nothing
 * came for so long is dead, whatever TCP believes: it is closed, and the pool opens another.
 */
function socketThatGivesUp(): Socket {
  const socket = new Socket();
  return socket.setTimeout(ANSWER_TIMEOUT, () => socket.destroy());
}
