import { Client, type ClientConfig } from 'pg';

/**
 * A connection whose loss does not crash the process. BullMQ has no error listener while it checks its tables, and
 * TypeORM has none between the connect and the first use. A query on a lost connection fails and is handled there.
 */
export class DatabaseClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
