import type { BuiltMessage, TransportPlace } from '../../ports/email-transport.js';
import type { SmtpConnectionPool } from './smtp-connection-pool.js';
import { NO_LOGIN } from './smtp-outcomes.js';
import type { SmtpSession } from './smtp-session.js';
import type { Sent } from './smtp-transaction.js';

/** A connection that was taken from the pool for one message. */
export class SmtpPlace implements TransportPlace {
  /** Whether the connection may be another's by now. */
  private isGiven = false;
  /** Why the next hop takes no mail at all. */
  private fault: Error | undefined;

  constructor(
    private readonly pool: SmtpConnectionPool,
    private session: SmtpSession,
    private readonly destination: string | undefined,
  ) {}

  async send(message: BuiltMessage): Promise<Sent> {
    const began = performance.now();
    const sent = await this.session.send(message, () => this.pool.sendsAhead && !message.isSuspect && this.give());
    this.pool.learn(sent, began);
    if (sent === 'stale' || !sent.some(({ reply }) => reply.error === NO_LOGIN)) return sent;
    this.fault = await this.pool.loginFault();
    return this.fault ? 'stale' : sent;
  }

  /** In place of one that still awaits the answer to another message there is what others give back, or room for. */
  async reopen(): Promise<void> {
    if (this.fault) throw this.fault;
    if (!this.session.stands) {
      this.session = await this.pool.reopen();
      return;
    }
    this.give();
    const session = await this.pool.take();
    if (!session) throw new Error('The transport is being closed.');
    this.pool.leave();
    this.session = session;
    this.isGiven = false;
  }

  release(): void {
    this.give();
    this.pool.leave(this.destination);
  }

  private give(): void {
    if (this.isGiven) return;
    this.isGiven = true;
    this.pool.give(this.session);
  }
}
