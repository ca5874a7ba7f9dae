import { AdaptiveLimit } from '../../../shared/work/adaptive-limit.js';
import { TurnLine } from '../../../shared/work/turn-line.js';
import type { BuiltMessage, Destination } from '../../ports/email-transport.js';
import { reportsOverload } from '../overload-reply.js';
import { askToMail } from './ask-to-mail.js';
import { ConnectionShares } from './connection-shares.js';
import { PipeliningTrust } from './pipelining-trust.js';
import { greet, type SmtpConnectionOptions } from './smtp-greeting.js';
import { NO_LOGIN } from './smtp-outcomes.js';
import { type SessionEvents, SmtpSession } from './smtp-session.js';
import type { Sent } from './smtp-transaction.js';

export interface SmtpPoolOptions {
  /** Limit of connections, and the smallest value to which overload reduces it. */
  connections: { least: number; most: number };
  maxMessages: number;
  /** Milliseconds. */
  idleTimeout: number;
}

/**
 * A connection that awaits the answer to a message for longer than this is not given to another message. Milliseconds.
 */
const SLOW = 1_000;
/** An answer that takes longer does not raise the limit. Milliseconds. */
const QUICK = 5_000;
/** Pause after a further connection could not be opened while others are open. Milliseconds. */
const PAUSE = 1_000;
/** Bytes at the beginning of a message that are read for its header. */
const HEAD = 64_000;

/** A caller that waits for a connection. */
interface Waiter {
  destination: Destination | undefined;
  end(session: SmtpSession | undefined): void;
  fail(error: unknown): void;
  /** Its time is over, but a connection is being opened for it. */
  isLate: boolean;
}

/**
 * Keeps connections to one next hop: reuses idle ones, opens up to a limit, makes further callers wait. A connection
 * that only awaits the answer to a message may be given to the next message; then another one is opened for later
 * callers.
 */
export class SmtpConnectionPool {
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly limit: AdaptiveLimit;
  private readonly trust = new PipeliningTrust();
  private readonly waiting = new TurnLine<Waiter>();
  /** Connections that are open, being opened, or broken and still acquired. */
  private connections = 0;
  /** Connections that are no longer given out and still await an answer, for example to QUIT. */
  private readonly leaving = new Set<SmtpSession>();
  private readonly openings = new Set<AbortController>();
  /** Connections being opened to replace broken ones, or for a test. */
  private readonly reopenings = new Set<AbortController>();
  private asking: Promise<Error | undefined> | undefined;
  /** Runs while no further connection may be opened. */
  private pause: NodeJS.Timeout | undefined;
  /** Connections of callers that have not finished their message. */
  private readonly shares = new ConnectionShares(() => this.limit.value);
  private closing = false;
  /** Called when no connection is acquired any more. */
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly connection: SmtpConnectionOptions,
    private readonly options: SmtpPoolOptions,
  ) {
    this.limit = new AdaptiveLimit(options.connections);
  }

  /**
   * Acquires a connection. The caller gives it back with `release`, and calls `finish` when its message is done.
   * Undefined when none was free in time, or when the pool is being closed. Rejects when none can be opened.
   *
   * @param patience time limit for the wait, in milliseconds. Default: none
   * @param destination of the message, see `ConnectionShares`. Default: none, which may use any connection
   * @param turn the lowest is first. Default: 0
   */
  async acquire(patience?: number, destination?: Destination, turn = 0): Promise<SmtpSession | undefined> {
    if (this.closing) return undefined;
    const session = this.waiting.size === 0 ? this.acquireIdle(destination) : undefined;
    return session ?? this.wait(patience, destination, turn);
  }

  /** Opens a separate connection, tests whether it accepts mail, and closes it. @param given ends the test */
  probe(given?: AbortSignal): Promise<void> {
    return this.outsideLimit((own) => {
      const signal = given ? AbortSignal.any([own, given]) : own;
      return askToMail(this.connection, signal);
    });
  }

  /** The error when mail is not accepted without a login, if so. Tested once for simultaneous callers. */
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

  /** Opens a connection to replace an acquired one that is not usable any more. */
  reopen(): Promise<SmtpSession> {
    return this.outsideLimit((signal) => this.open(signal));
  }

  /** Runs work with a connection outside the limit. It ends with the pool. */
  private outsideLimit<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    this.reopenings.add(ending);
    if (this.closing) ending.abort();
    return work(ending.signal).finally(() => this.reopenings.delete(ending));
  }

  /** Gives a connection back, usable or not. */
  release(session: SmtpSession): void {
    if (this.closing || !session.usable || session.sent >= this.options.maxMessages || this.hasTooMany) {
      this.drop(session);
      return;
    }
    session.reused = true;
    this.keep(session);
  }

  /** True if a connection that awaits an answer may be given to the next message. */
  get maySendAhead(): boolean {
    return this.trust.isTrusted;
  }

  private get hasTooMany(): boolean {
    return this.connections > this.limit.value;
  }

  /** The caller of `acquire` has finished its message. */
  finish(destination?: string): void {
    this.shares.release(destination);
    if (this.shares.size === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
    if (destination !== undefined && this.waiting.size > 0) this.serve();
  }

  /** Learns from the outcome of a message. */
  learn(message: BuiltMessage, sent: Sent, began: number): void {
    if (sent === 'stale') return;
    const quotable = () => [message.from, ...message.recipients, headOf(message)];
    const replies = sent.map(({ reply }) => reply);
    if (reportsOverload(replies, quotable)) this.limit.pushedBack(began);
    else if (sent.some(({ outcome }) => outcome === 'accepted') && performance.now() - began < QUICK)
      this.limit.succeeded();
  }

  /** Resolves when no connection is acquired. Closes idle ones, and gives out none. */
  async close(): Promise<void> {
    this.closing = true;
    for (const waiter of this.waiting) waiter.end(undefined);
    for (const opening of [...this.openings, ...this.reopenings]) opening.abort();
    for (const { session } of this.idle.slice()) this.dropIdle(session);
    if (this.shares.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private wait(
    patience: number | undefined,
    destination: Destination | undefined,
    turn: number,
  ): Promise<SmtpSession | undefined> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiter.isLate = true;
        this.endLateWaiters();
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const leave = () => {
        clearTimeout(timer);
        this.waiting.delete(waiter, turn);
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
      this.waiting.add(waiter, turn);
      this.serve();
    });
  }

  /** Gives free connections to waiting callers, and opens connections for the others. */
  private serve(): void {
    for (const waiter of this.waiting) {
      const session = this.acquireIdle(waiter.destination);
      if (session) waiter.end(session);
      else if (this.shares.mayAcquire(waiter.destination)) break;
    }
    if (!this.mayOpen) return;
    let wanted = 0;
    for (const { destination } of this.waiting) if (this.shares.mayAcquire(destination)) wanted++;
    while (this.openings.size < wanted && this.mayOpen) this.openOne();
  }

  /** Behind its own message a destination delays no other. */
  private mayAcquire(destination: Destination | undefined, session: SmtpSession): boolean {
    return this.shares.mayAcquire(destination) || (!session.quiet && session.destination === destination?.name);
  }

  private get mayOpen(): boolean {
    const noneStands = this.connections === this.openings.size;
    const hasRoom = this.connections + this.leaving.size < this.limit.value;
    return !this.closing && hasRoom && (noneStands || !this.pause);
  }

  /** An idle connection; else the one that has awaited an answer for the longest time. */
  private acquireIdle(destination: Destination | undefined): SmtpSession | undefined {
    const now = performance.now();
    let found = -1;
    for (let n = this.idle.length - 1; n >= 0; n--) {
      const { session } = this.idle[n] as (typeof this.idle)[number];
      if (!this.mayAcquire(destination, session)) continue;
      if (session.quiet || now - session.freeAt < SLOW) found = n;
      if (session.quiet) break;
    }
    const [kept] = found < 0 ? [] : this.idle.splice(found, 1);
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    this.openAhead(kept.session);
    return this.acquiredFor(destination, kept.session);
  }

  private acquiredFor(destination: Destination | undefined, session: SmtpSession): SmtpSession {
    this.shares.acquire(destination);
    session.destination = destination?.name;
    return session;
  }

  /** Opens one more when the acquired connection awaits an answer, or carries its last message. */
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
      pipeliningSucceeded: () => this.trust.succeeded(),
      pipeliningFailed: (isSure) => this.trust.failed(isSure),
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
    this.endLateWaiters();
  }

  /** While other connections are open, they serve the waiting callers. */
  private failedToOpen(error: unknown, began: number): void {
    this.connections--;
    const othersStand = this.connections > this.openings.size;
    if (othersStand) {
      this.limit.pushedBack(began);
      this.pauseOpening();
      this.endLateWaiters();
    } else {
      this.waiting.first?.fail(error);
    }
    this.serve();
  }

  /** Callers that still wait afterwards may get one of them. */
  private pauseOpening(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.pause = undefined;
      this.serve();
    }, PAUSE).unref();
  }

  /** Ends callers whose time is over and for which no connection is being opened. */
  private endLateWaiters(): void {
    let openings = this.openings.size;
    for (const waiter of this.waiting) {
      const isOpened = this.shares.mayAcquire(waiter.destination) && openings-- > 0;
      if (waiter.isLate && !isOpened) waiter.end(undefined);
    }
  }

  /** Gives the connection to a waiting caller, or keeps it for later. */
  private keep(session: SmtpSession): void {
    for (const waiter of this.waiting) {
      if (!this.mayAcquire(waiter.destination, session)) continue;
      waiter.end(this.acquiredFor(waiter.destination, session));
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

/** The header of a message in memory; empty for others. */
function headOf({ raw }: BuiltMessage): string {
  if (!Buffer.isBuffer(raw)) return '';
  const beginning = raw.toString('latin1', 0, HEAD);
  const end = beginning.indexOf('\r\n\r\n');
  return end < 0 ? beginning : beginning.slice(0, end);
}
