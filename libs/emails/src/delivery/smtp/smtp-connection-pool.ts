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
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly connection: SmtpSessionOptions,
    private readonly options: SmtpPoolOptions,
  ) {}

  /** Runs `work` with a connection of its own. Rejects when none can be opened. */
  async use<T>(work: (session: SmtpSession) => Promise<T>, fresh = false): Promise<T> {
    await this.enter();
    try {
      const session = (!fresh && this.takeIdle()) || (await SmtpSession.open(this.connection));
      try {
        return await work(session);
      } finally {
        this.keep(session);
      }
    } finally {
      this.leave();
    }
  }

  /** Resolves when no connection is busy; idle ones are closed. */
  async close(): Promise<void> {
    while (this.busy > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
  }

  private async enter(): Promise<void> {
    while (this.busy >= this.options.maxConnections) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.busy++;
  }

  private leave(): void {
    this.busy--;
    this.waiting.shift()?.();
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
    if (session.sent >= this.options.maxMessages) {
      session.quit();
      return;
    }
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
