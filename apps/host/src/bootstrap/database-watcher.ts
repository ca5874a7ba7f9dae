import type { Logger } from 'pino';
import type { DatabaseWatcher } from '../embedded/embedded-postgres.js';

/** Logs the state of the embedded database after an unexpected end. @param stop called when it is not started again */
export function databaseWatcher(
  logger: Pick<Logger, 'error' | 'info' | 'fatal'>,
  dataDir: string,
  stop: () => void,
): DatabaseWatcher {
  return {
    lost: () => logger.error('The embedded PostgreSQL ended unexpectedly. It is started again.'),
    restored: () => logger.info('The embedded PostgreSQL accepts connections again.'),
    gaveUp: (reason) => {
      logger.fatal(
        `Stopping, because the embedded PostgreSQL ended and is not started again. ${reason} ` +
          `All accepted emails are in ${dataDir}, and are delivered after the next start.`,
      );
      stop();
    },
  };
}
