import { Client, type ClientConfig } from 'pg';

/**
 * A connection whose end ends no process. BullMQ does not listen for it while it looks at its tables, and TypeORM does not
 * between the moment a connection stands and its first use. What is asked of a connection that has ended fails, and is
 * dealt with there.
 */
export class DatabaseClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
