import type { BuiltMessage, RecipientOutcome, TransportPlace } from '../../ports/email-transport.js';
import type { SmtpConnectionPool } from './smtp-connection-pool.js';
import type { SmtpSession } from './smtp-session.js';

/** A connection that was taken from the pool for one message. */
export class SmtpPlace implements TransportPlace {
  constructor(
    private readonly pool: SmtpConnectionPool,
    private session: SmtpSession,
  ) {}

  send(message: BuiltMessage): Promise<readonly RecipientOutcome[] | 'stale'> {
    return this.session.send(message);
  }

  async reopen(): Promise<void> {
    this.session = await this.pool.open();
  }

  release(): void {
    this.pool.give(this.session);
  }
}
