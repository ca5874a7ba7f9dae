import { Semaphore } from '../../../shared/work/semaphore.js';
import { SmtpSession, type SmtpSessionOptions } from './smtp-session.js';

export interface SmtpPoolOptions {
  maxConnections: number;
  maxMessages: number;
  /** Milliseconds. */
  idleTimeout: number;
}

/** Keeps connections to one next hop: reuses idle ones, opens up to a number of them, makes further callers wait. */
export class SmtpConnectionPool {
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly connections: Semaphore;
  private closing = false;
  /** Called when no connection is busy any more. */
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly connection: SmtpSessionOptions,
    private readonly options: SmtpPoolOptions,
  ) {
    this.connections = new Semaphore(options.maxConnections);
  }

  /**
   * A connection of the caller's own, which `give` gives back. Undefined when none became free in time, or when the pool
   * is being closed. Rejects when none can be opened.
   *
   * @param patience milliseconds to wait for one to become free. Default: as long as it takes
   */
  async take(patience?: number): Promise<SmtpSession | undefined> {
    if (!(await this.connections.acquire(1, patience))) return undefined;
    try {
      return this.takeIdle() ?? (await this.open());
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** A new connection in place of one that was taken and is not usable any more. */
  open(): Promise<SmtpSession> {
    return SmtpSession.open(this.connection);
  }

  give(session: SmtpSession): void {
    this.keep(session);
    this.leave();
  }

  /** Resolves when no connection is busy; idle ones are closed. Nobody gets one any more. */
  async close(): Promise<void> {
    this.closing = true;
    this.connections.close();
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
    if (this.connections.taken > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private leave(): void {
    this.connections.release();
    if (this.connections.taken === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  private takeIdle(): SmtpSession | undefined {
    for (let entry = this.idle.pop(); entry; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.session.usable) return entry.session;
    }
    return undefined;
  }

  private keep(session: SmtpSession): void {
    if (!session.usable) return;
    if (this.closing || session.sent >= this.options.maxMessages) {
      session.quit();
      return;
    }
    session.reused = true;
    const timer = setTimeout(() => this.dropIdle(session), this.options.idleTimeout);
    timer.unref();
    this.idle.push({ session, timer });
  }

  private dropIdle(session: SmtpSession): void {
    const index = this.idle.findIndex((entry) => entry.session === session);
    if (index >= 0) this.idle.splice(index, 1);
    session.quit();
  }
}
