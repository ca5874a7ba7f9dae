import type { BuiltMessage, TransportSlot } from '../../ports/email-transport.js';
import type { SmtpConnectionPool } from './smtp-connection-pool.js';
import { NO_LOGIN } from './smtp-outcomes.js';
import type { SmtpSession } from './smtp-session.js';
import type { Sent } from './smtp-transaction.js';

/** A connection that was held for this long without a message is like one that was kept idle. Milliseconds. */
const LONG = 1_000;

/** A connection acquired from the pool for one message. */
export class SmtpSlot implements TransportSlot {
  /** True if the connection was given back, so that another message may use it. */
  private isReleased = false;
  /** Set when the next hop accepts no mail at all. */
  private fault: Error | undefined;
  /** When the connection was acquired. Milliseconds of `performance.now()`. */
  private acquiredAt = performance.now();

  constructor(
    private readonly pool: SmtpConnectionPool,
    private session: SmtpSession,
    private readonly destination: string | undefined,
  ) {}

  async send(message: BuiltMessage): Promise<Sent> {
    const began = performance.now();
    // The server may have closed it since.
    if (began - this.acquiredAt > LONG) this.session.reused = true;
    const sent = await this.session.send(
      message,
      () => this.pool.maySendAhead && !message.isSuspect && this.releaseConnection(),
    );
    this.pool.learn(message, sent, began);
    if (sent === 'stale' || !sent.some(({ reply }) => reply.error === NO_LOGIN)) return sent;
    this.fault = await this.pool.loginFault();
    return this.fault ? 'stale' : sent;
  }

  /**
   * Replaces a broken connection. If the connection still awaits the answer to another message, acquires another one.
   */
  async reopen(): Promise<void> {
    if (this.fault) throw this.fault;
    if (!this.session.stands) {
      this.session = await this.pool.reopen();
      this.acquiredAt = performance.now();
      return;
    }
    this.releaseConnection();
    const session = await this.pool.acquire();
    if (!session) throw new Error('The transport is being closed.');
    this.pool.finish();
    this.session = session;
    this.acquiredAt = performance.now();
    this.isReleased = false;
  }

  release(): void {
    this.releaseConnection();
    this.pool.finish(this.destination);
  }

  private releaseConnection(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.pool.release(this.session);
  }
}
