import { Client, type ClientConfig } from 'pg';

/**
 * A connection of BullMQ, which does not listen for the end of one while it looks at its tables: nobody heard it, and it
 * would end the process. What is asked of a connection that has ended fails, and is dealt with there.
 */
export class QueueClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
