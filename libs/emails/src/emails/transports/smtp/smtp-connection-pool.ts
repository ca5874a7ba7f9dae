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
  /** Who waits for a connection, in order of arrival; `true` hands one over. */
  private readonly waiting = new Set<(place: boolean) => void>();
  private busy = 0;
  private closing = false;
  /** Called when no connection is busy any more. */
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly connection: SmtpSessionOptions,
    private readonly options: SmtpPoolOptions,
  ) {}

  /**
   * A connection of the caller's own, which `give` gives back. Undefined when none became free in time, or when the pool
   * is being closed. Rejects when none can be opened.
   *
   * @param patience milliseconds to wait for one to become free. Default: as long as it takes
   */
  async take(patience?: number): Promise<SmtpSession | undefined> {
    if (!this.enter() && !(await this.handedOver(patience))) return undefined;
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
    for (const end of this.waiting) end(false);
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
    if (this.busy > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private enter(): boolean {
    if (this.closing || this.busy >= this.options.maxConnections) return false;
    this.busy++;
    return true;
  }

  /** Resolves with true when somebody else's place is handed over in time. */
  private async handedOver(patience: number | undefined): Promise<boolean> {
    if (this.closing) return false;
    return new Promise((resolve) => {
      const end = (place: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve(place);
      };
      const timer = patience === undefined ? undefined : setTimeout(end, patience, false);
      this.waiting.add(end);
    });
  }

  private leave(): void {
    const [next] = this.waiting;
    if (next) next(true);
    else this.busy--;
    if (this.busy === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
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
