import { AdaptiveLimit } from '../../../shared/work/adaptive-limit.js';
import type { Destination } from '../../ports/email-transport.js';
import { saysTooMuch } from '../too-much.js';
import { AheadTrust } from './ahead-trust.js';
import { askToMail } from './ask-to-mail.js';
import { ConnectionShares } from './connection-shares.js';
import { greet, type SmtpConnectionOptions } from './smtp-greeting.js';
import { NO_LOGIN } from './smtp-outcomes.js';
import { type SessionEvents, SmtpSession } from './smtp-session.js';
import type { Sent } from './smtp-transaction.js';

export interface SmtpPoolOptions {
  /** Of connections: how many there are at most, and the fewest that a server that has enough brings them down to. */
  connections: { least: number; most: number };
  maxMessages: number;
  /** Milliseconds. */
  idleTimeout: number;
}

/** A connection that awaits the answer to a message for longer than this gets no other before. Milliseconds. */
const SLOW = 1_000;
/** An answer that takes longer is no reason for more connections. Milliseconds. */
const QUICK = 5_000;
/** After a connection could not be opened beside others, for so long no other is tried. Milliseconds. */
const PAUSE = 1_000;

/** Who waits for a connection. */
interface Waiter {
  destination: Destination | undefined;
  end(session: SmtpSession | undefined): void;
  fail(error: unknown): void;
  /** Its time is over. It still waits for a connection that is being opened. */
  isLate: boolean;
}

/**
 * Keeps connections to one next hop: reuses idle ones, opens up to a number of them, makes further callers wait. A
 * connection that only awaits the answer to a message is given to the next; then one more is opened for whoever comes.
 */
export class SmtpConnectionPool {
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly limit: AdaptiveLimit;
  private readonly trust = new AheadTrust();
  /** In order of arrival. */
  private readonly line = new Set<Waiter>();
  /** Connections that stand, are being opened, or are dead and still somebody's. */
  private connections = 0;
  /** Connections that nobody gets any more, and that still await an answer, if only to QUIT. */
  private readonly leaving = new Set<SmtpSession>();
  private readonly openings = new Set<AbortController>();
  /** As above, in place of dead ones, or to ask something. */
  private readonly reopenings = new Set<AbortController>();
  private asking: Promise<Error | undefined> | undefined;
  /** Runs while none is opened beside others. */
  private pause: NodeJS.Timeout | undefined;
  /** Of callers who took a connection and are not through with their message. */
  private readonly shares = new ConnectionShares(() => this.limit.value);
  private closing = false;
  /** Called when no connection is taken any more. */
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly connection: SmtpConnectionOptions,
    private readonly options: SmtpPoolOptions,
  ) {
    this.limit = new AdaptiveLimit(options.connections);
  }

  /**
   * A connection of the caller's own, which `give` gives back; `leave` says that the caller is through. Undefined when none
   * became free in time, or when the pool is being closed. Rejects when none can be opened.
   *
   * @param patience milliseconds to wait for one to become free. Default: as long as it takes
   * @param destination of the message, see `ConnectionShares`. Default: none, which may have any connection
   */
  async take(patience?: number, destination?: Destination): Promise<SmtpSession | undefined> {
    if (this.closing) return undefined;
    const session = this.line.size === 0 ? this.takeIdle(destination) : undefined;
    return session ?? this.wait(patience, destination);
  }

  /** Opens a connection beside the others, asks whether mail is taken on it, and ends it. @param given ends that */
  probe(given?: AbortSignal): Promise<void> {
    return this.beside((own) => {
      const signal = given ? AbortSignal.any([own, given]) : own;
      return askToMail(this.connection, signal);
    });
  }

  /** Why mail is taken from nobody without a login, if so. Asked once for all who ask at the same time. */
  loginFault(): Promise<Error | undefined> {
    this.asking ??= this.probe()
      .then(
        () => undefined,
        (error: Error & { code?: unknown }) => (error.code === NO_LOGIN ? error : undefined),
      )
      .finally(() => {
        this.asking = undefined;
      });
    return this.asking;
  }

  /** A new connection in place of one that was taken and is not usable any more. */
  reopen(): Promise<SmtpSession> {
    return this.beside((signal) => this.open(signal));
  }

  /** Work with a connection that is not one of those that are counted. It ends with the pool. */
  private beside<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    this.reopenings.add(ending);
    if (this.closing) ending.abort();
    return work(ending.signal).finally(() => this.reopenings.delete(ending));
  }

  /** Gives a connection back, usable or not. */
  give(session: SmtpSession): void {
    if (this.closing || !session.usable || session.sent >= this.options.maxMessages || this.hasTooMany) {
      this.drop(session);
      return;
    }
    session.reused = true;
    this.keep(session);
  }

  /** Whether a connection that awaits an answer may be given to the next message. */
  get sendsAhead(): boolean {
    return this.trust.isGiven;
  }

  private get hasTooMany(): boolean {
    return this.connections > this.limit.value;
  }

  /** The caller of `take` is through with the message. */
  leave(destination?: string): void {
    this.shares.leave(destination);
    if (this.shares.size === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
    if (destination !== undefined && this.line.size > 0) this.serve();
  }

  /** What came of a message that was begun then. */
  learn(sent: Sent, began: number): void {
    if (sent === 'stale') return;
    if (sent.some(({ reply }) => saysTooMuch(reply))) this.limit.pushedBack(began);
    else if (sent.some(({ outcome }) => outcome === 'accepted') && performance.now() - began < QUICK)
      this.limit.succeeded();
  }

  /** Resolves when no connection is taken; idle ones are closed. Nobody gets one any more. */
  async close(): Promise<void> {
    this.closing = true;
    for (const waiter of this.line) waiter.end(undefined);
    for (const opening of [...this.openings, ...this.reopenings]) opening.abort();
    for (const { session } of this.idle.slice()) this.dropIdle(session);
    if (this.shares.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private wait(patience: number | undefined, destination: Destination | undefined): Promise<SmtpSession | undefined> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiter.isLate = true;
        this.sendAwayLate();
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const leave = () => {
        clearTimeout(timer);
        this.line.delete(waiter);
      };
      const waiter: Waiter = {
        destination,
        isLate: false,
        end: (session) => {
          leave();
          resolve(session);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      this.line.add(waiter);
      this.serve();
    });
  }

  /** Whoever waits gets what is free, and for the others connections are opened. */
  private serve(): void {
    for (const waiter of this.line) {
      const session = this.takeIdle(waiter.destination);
      if (session) waiter.end(session);
      else if (this.shares.mayTake(waiter.destination)) break;
    }
    if (!this.mayOpen) return;
    let wanted = 0;
    for (const { destination } of this.line) if (this.shares.mayTake(destination)) wanted++;
    while (this.openings.size < wanted && this.mayOpen) this.openOne();
  }

  /** Behind a message of its own a destination holds up no other. */
  private mayTake(destination: Destination | undefined, session: SmtpSession): boolean {
    return this.shares.mayTake(destination) || (!session.quiet && session.destination === destination?.name);
  }

  private get mayOpen(): boolean {
    const noneStands = this.connections === this.openings.size;
    const hasRoom = this.connections + this.leaving.size < this.limit.value;
    return !this.closing && hasRoom && (noneStands || !this.pause);
  }

  /** One whose next message would get its answer at once, or else the one that has awaited its own for the longest time. */
  private takeIdle(destination: Destination | undefined): SmtpSession | undefined {
    const now = performance.now();
    let found = -1;
    for (let n = this.idle.length - 1; n >= 0; n--) {
      const { session } = this.idle[n] as (typeof this.idle)[number];
      if (!this.mayTake(destination, session)) continue;
      if (session.quiet || now - session.freeAt < SLOW) found = n;
      if (session.quiet) break;
    }
    const [kept] = found < 0 ? [] : this.idle.splice(found, 1);
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    this.openAhead(kept.session);
    return this.takenFor(destination, kept.session);
  }

  private takenFor(destination: Destination | undefined, session: SmtpSession): SmtpSession {
    this.shares.take(destination);
    session.destination = destination?.name;
    return session;
  }

  /** One more, where the one that was taken awaits an answer, or takes its last message. */
  private openAhead({ quiet, sent }: SmtpSession): void {
    const isNeeded = !quiet || sent + 1 >= this.options.maxMessages;
    if (isNeeded && this.openings.size === 0 && this.mayOpen) this.openOne();
  }

  private openOne(): void {
    const began = performance.now();
    const opening = new AbortController();
    this.openings.add(opening);
    this.connections++;
    this.open(opening.signal)
      .finally(() => this.openings.delete(opening))
      .then(
        (session) => this.keepNew(session),
        (error: unknown) => this.failedToOpen(error, began),
      );
  }

  private async open(signal: AbortSignal): Promise<SmtpSession> {
    const events: SessionEvents = {
      quiet: () => this.serve(),
      aheadKept: () => this.trust.kept(),
      aheadBroken: (isSure) => this.trust.broken(isSure),
      ended: (session) => this.ended(session),
    };
    const { socketTimeout, messageTimeout } = this.connection;
    const limits = { reply: socketTimeout, message: messageTimeout };
    return new SmtpSession(await greet(this.connection, signal), events, limits);
  }

  private keepNew(session: SmtpSession): void {
    if (this.closing || this.hasTooMany) {
      this.drop(session);
      return;
    }
    this.keep(session);
    this.sendAwayLate();
  }

  /** While others stand, those who wait are served by them. */
  private failedToOpen(error: unknown, began: number): void {
    this.connections--;
    const othersStand = this.connections > this.openings.size;
    if (othersStand) {
      this.limit.pushedBack(began);
      this.pauseOpening();
      this.sendAwayLate();
    } else {
      const [first] = this.line;
      first?.fail(error);
    }
    this.serve();
  }

  /** Whoever still waits then may get one of them. */
  private pauseOpening(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.pause = undefined;
      this.serve();
    }, PAUSE).unref();
  }

  /** Those whose time is over, and for whom none is being opened. */
  private sendAwayLate(): void {
    let openings = this.openings.size;
    for (const waiter of this.line) {
      const isOpened = this.shares.mayTake(waiter.destination) && openings-- > 0;
      if (waiter.isLate && !isOpened) waiter.end(undefined);
    }
  }

  /** For whoever waits, or else for later. */
  private keep(session: SmtpSession): void {
    for (const waiter of this.line) {
      if (!this.mayTake(waiter.destination, session)) continue;
      waiter.end(this.takenFor(waiter.destination, session));
      return;
    }
    session.reused = true;
    const timer = setTimeout(() => this.dropIdle(session), this.options.idleTimeout);
    timer.unref();
    this.idle.push({ session, timer });
  }

  private dropIdle(session: SmtpSession): void {
    const index = this.idle.findIndex((kept) => kept.session === session);
    if (index < 0) return;
    clearTimeout(this.idle[index]?.timer);
    this.idle.splice(index, 1);
    this.drop(session);
  }

  private ended(session: SmtpSession): void {
    if (this.leaving.delete(session)) this.serve();
    else this.dropIdle(session);
  }

  private drop(session: SmtpSession): void {
    if (session.stands) this.leaving.add(session);
    session.quit();
    this.connections--;
    this.serve();
  }
}
