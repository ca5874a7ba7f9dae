import type { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import { turnCost } from '../../shared/work/turn-cost.js';
import { costOf, INLINE_LIMITS } from '../message/message-cost.js';
import type { Observation } from '../observation/observation.js';
import type { Destination, RecipientOutcome, TransportSlot } from '../ports/email-transport.js';
import { isPending } from '../states/recipient-state.js';
import type {
  DeliveryRepository,
  HeldLease,
  Lease,
  LeaseEnd,
  PendingEmail,
} from '../storage/deliver/delivery.repository.js';
import { outcomesForAll, unreachable } from '../transports/outcomes.js';
import type { AddressedMessage } from './addressed-message.js';
import { attempt, nameOf, sendThrough } from './attempt.js';
import type { ContentRooms } from './content-rooms.js';
import type { CostlyEmails } from './costly-emails.js';
import { probe, probedOutcomes } from './delivery-probe.js';
import { destinationOf, isSeveral } from './destination.js';
import type { FailureLog } from './failure-log.js';
import { isAnswer } from './hop/next-hop.js';
import { withoutQuotedLimits } from './hop/quoted-limits.js';
import { quotableOf } from './hop/sender-limits.js';
import { afterLostEnds } from './lost-ends.js';
import type { Refused } from './recipient-policies.js';
import { NoOwnRoute } from './routes/own-routes.js';
import type { Route } from './routes/route.js';
import { type Candidates, type Routes, triedBy } from './routes/routes.js';
import { today } from './routes/transport-limits.js';
import { isContentDeferred, isRecipientDeferred, isWithoutVerdict } from './routes/without-verdict.js';
import { type AttemptWrites, RunAttempt } from './run-attempt.js';
import type { RunTurns } from './run-turns.js';
import { moveOn, postpone, type Settlement, settle, waitFor, waitForPause, withTried } from './settlement.js';

/** Upper limit for the bytes of an attachment that are in memory during sending. */
const ATTACHMENT_BYTES = 2_000_000;
/** Delay before an email is tried again that found no room, at random so that it does not keep step. Milliseconds. */
const NO_ROOM = { least: 1_000, most: 3_000 };
/** Time limit for the turn at a transport with limits, or just after an outage; the second if others may take the email. Milliseconds. */
const PATIENCE = 30_000;
const SHORT_PATIENCE = 1_000;
const LAST_PATIENCE = 5_000;
/** Transports that an email is given to in one round: a chooser may name new ones each time. */
const MOST_TRIED = 32;
/** Delay before an email that got no slot is tried again. Milliseconds. */
const NO_SLOT = 1_000;
/** Delay before an email is tried again whose attempt could not be written under its lease. Milliseconds. */
export const NO_ATTEMPT = 1_000;

const CLOSES = 'The next hop closes its connections.';

/** Dependencies that all deliveries of a process share. */
export interface DeliveryDependencies {
  routes: Routes;
  turns: RunTurns;
  /** For large emails. */
  room: ContentRooms;
  /** For emails whose messages take long to build. */
  costly: CostlyEmails;
  contents: Pick<DeliveryRepository, 'content'>;
  /** The message of an email, with its content. */
  address: (email: PendingEmail, route: Route) => AddressedMessage;
  attempts: AttemptWrites;
  renewal: Pick<LeaseRenewal<HeldLease>, 'holds'>;
  observation: Observation;
  failures: FailureLog;
}

/**
 * Handles one email under one lease, step by step: transport, domain limit, memory, limits of the transport, slot on a
 * connection, permits, policies, message, attempt, next hop. A lease has one attempt: an email that moves to another transport
 * is due again at once. With message stages, and for a message that takes long to build, policies and message come first. A
 * step that returns a `LeaseEnd` is the last one.
 */
export class DeliveryRun {
  private readonly email: PendingEmail;
  /** By which it waits for places, permits and connections: the lowest is first. */
  private turn = 0;
  /** The transports that may take it and are not paused. */
  private candidates: readonly Route[] = [];
  /** The one that it is given to. */
  private chosen: Route | undefined;
  /** Functions that release acquired resources, in the order of the steps. */
  private readonly releases: (() => void)[] = [];
  /** Html and text that were not read with the lease. */
  private content: Pick<PendingEmail, 'html' | 'text'> | undefined;
  /** Undefined until it is asked for. */
  private knownCost: number | undefined;
  private readonly attempt: RunAttempt;
  private hasReopened = false;
  /** True if it waits for its transport beyond the share of that (`WaitingLine`). */
  private isExtra = false;
  /** Ends its turn among those that are next at a transport with limits. */
  private leavePermits = () => {};
  /** The destination whose slot is held, where the next hop is the recipients' own. */
  private destination: Destination | undefined;
  /** The preparation that began when the turn was near. */
  private prepared: Promise<LeaseEnd | undefined> | undefined;
  /** Set by the preparation. */
  private addressed: AddressedMessage | undefined;
  /** When sending began; 0 before. Milliseconds of `performance.now()`. */
  private began = 0;
  /** True once its end is decided: a transport may still say that a slot is near for which it no longer waits. */
  private isOver = false;
  /** Outcomes that the transport reported; null before. */
  private reported: readonly RecipientOutcome[] | null = null;

  constructor(
    private readonly lease: Lease,
    private readonly held: HeldLease,
    private readonly dependencies: DeliveryDependencies,
  ) {
    this.email = lease.email;
    this.attempt = new RunAttempt(dependencies.attempts);
    this.releases.push(() => this.attempt.settle());
  }

  async run(): Promise<LeaseEnd> {
    this.enterTurns();
    try {
      return (
        // Lost ends come first: an email that kills its worker must not get this far again.
        this.settleLostEnds() ??
        (await this.choose()) ??
        this.enterLine() ??
        (this.isLarge ? undefined : await this.makeEarly()) ??
        (await this.enterDomain()) ??
        (await this.acquireMemory()) ??
        (await this.enterTransport()) ??
        (await this.sendInSlot())
      );
    } finally {
      this.isOver = true;
      for (const release of this.releases.reverse()) release();
    }
  }

  private enterTurns(): void {
    const { email, dependencies } = this;
    const { accountId, isBulk, contentSize, attachments } = email;
    const flow = { accountId, isBulk };
    const bytes = attachments.reduce((sum, { size }) => sum + size, contentSize);
    this.turn = dependencies.turns.enter(flow, turnCost(email.recipients.filter(isPending).length, bytes));
    this.releases.push(() => dependencies.turns.leave(flow));
  }

  private settleLostEnds(): LeaseEnd | undefined {
    const settled = afterLostEnds(this.lease, this.dependencies.routes.named(undefined).rules);
    return settled && { ...this.held, ...settled };
  }

  /** Undefined when a transport was chosen. */
  private async choose(): Promise<LeaseEnd | undefined> {
    try {
      const { routes, leave }: Candidates = await this.dependencies.routes.candidates(this.email);
      this.releases.push(leave);
      this.candidates = routes.filter(({ name }) => !this.isPaused(name));
      if (routes.length > 0 && this.candidates.length === 0) return this.waitForPauses(routes);
    } catch (error) {
      if (error instanceof NoOwnRoute) return this.putOff(randomWithin(NO_ROOM));
      return this.endWithoutRoute(nameOf(error));
    }
    if (this.candidates.length === 0) return this.endWithoutRoute('no transport may take it');
    return this.takeOpen();
  }

  private isPaused(transport: string): boolean {
    return this.email.pausedTransports?.includes(transport) ?? false;
  }

  /** Every transport that may take the email is paused. */
  private waitForPauses(routes: readonly Route[]): LeaseEnd {
    return { ...this.putOff(0), pausedTransports: routes.map(({ name }) => name) };
  }

  /**
   * The first transport that may be given the email now, one that was not tried before if there is any; of these one that is not
   * busy.
   */
  private takeOpen(): LeaseEnd | undefined {
    const { tried } = this;
    const open = this.candidates.filter((route) => route.isOpenFor(this.email.accountId));
    const untried = open.filter(({ name }) => !tried.includes(name));
    this.chosen = untried.find(({ isBusy }) => !isBusy) ?? untried[0] ?? open[0];
    return this.chosen ? undefined : this.waitForRoute();
  }

  /** Every transport that may take the email is down, or refuses all mail of the sender for a time. */
  private waitForRoute(): LeaseEnd {
    const { rules } = this.route;
    const [first] = this.candidates
      .map((route) => ({ name: route.name, pause: route.pauseOf(this.email.accountId) }))
      .filter(({ pause }) => pause > 0)
      .sort((a, b) => a.pause - b.pause);
    const down = this.candidates.flatMap(({ breaker, bits }) => (breaker.down ? { ...breaker.down, bits } : []));
    if (first && down.length === 0) return this.newRound(waitForPause(first.name, first.pause, this.email, rules));
    const waiting = waitFor(down, this.email, rules);
    // The first of both counts: the end of a pause, or the return of a hop.
    const retryIn = waiting.retryIn === null ? null : Math.min(waiting.retryIn, first?.pause ?? waiting.retryIn);
    return this.newRound({ ...waiting, retryIn });
  }

  /** After a wait each transport may be taken again. */
  private newRound(settled: Settlement): LeaseEnd {
    const { recipients } = settled;
    return { ...this.held, ...settled, recipients: this.tried.length > 0 ? withTried(recipients, []) : recipients };
  }

  private endWithoutRoute(reason: string): LeaseEnd {
    this.dependencies.failures.failed({ emailId: this.email.id, kind: 'transport', reason });
    const pending = this.email.recipients.filter(isPending).map(({ address }) => address);
    const text = `No transport could be chosen: ${reason}`;
    return this.end(outcomesForAll(pending, 'deferred', { text, reasonCode: 'no_transport' }));
  }

  /** The transport that the email is given to; before that, one whose rules do for an email that is not sent. */
  private get route(): Route {
    return this.chosen ?? this.candidates[0] ?? this.dependencies.routes.named(undefined);
  }

  private get tried(): readonly string[] {
    return triedBy(this.email.recipients);
  }

  /** True if another transport may be given the email now, and was not tried since its last wait. */
  private get hasOther(): boolean {
    if (this.candidates.length < 2 || this.tried.length >= MOST_TRIED) return false;
    const tried = [...this.tried, this.route.name];
    return this.candidates.some((route) => !tried.includes(route.name) && route.isOpenFor(this.email.accountId));
  }

  private get isAnyOpen(): boolean {
    return this.candidates.some((route) => route.isOpenFor(this.email.accountId));
  }

  /** Undefined when the email may wait for its transport in this process. */
  private enterLine(): LeaseEnd | undefined {
    const { line } = this.route;
    if (!line) return undefined;
    const { wait, isExtra } = line.enter();
    if (wait > 0) return this.putOff(wait);
    this.isExtra = isExtra;
    this.releases.push(() => line.leave(this.reported !== null));
    return undefined;
  }

  /** Applies only where the next hop is the recipients' own: a relay handles all domains. */
  private async enterDomain(): Promise<LeaseEnd | undefined> {
    const { limits, rules } = this.route;
    if (rules.hop === 'relay') return undefined;
    const name = destinationOf(this.email.recipients);
    const wait = await limits.enter(name, this.route.permits ? undefined : this.whenNear, this.turn);
    if (wait > 0) return (await this.prepared) ?? this.putOff(wait);
    this.destination = { name, speed: limits.speedOf(name) ?? (isSeveral(name) ? 'slow' : undefined) };
    this.releases.push(() => limits.leave(name, this.reported, this.began));
    return undefined;
  }

  /**
   * Large emails acquire memory before they acquire a slot, so that they neither exhaust memory nor delay small emails.
   * Their stages need that memory, and so does html whose conversion takes long.
   */
  private async acquireMemory(): Promise<LeaseEnd | undefined> {
    if (!this.isLarge) return undefined;
    const release = await this.dependencies.room.acquire(this.email.accountId, memoryOf(this.email), this.destination);
    if (!release) return (await this.prepared) ?? this.interrupt(randomWithin(NO_ROOM));
    this.releases.push(release);
    return this.makeEarly();
  }

  private get isLarge(): boolean {
    return memoryOf(this.email) > INLINE_LIMITS.content;
  }

  /** See `costOf`. An email with corrupt data has none: its message cannot be made, and that is recorded. */
  private get cost(): number {
    try {
      this.knownCost ??= costOf(this.email);
    } catch {
      this.knownCost = 0;
    }
    return this.knownCost;
  }

  /**
   * Makes a message before a slot is acquired if there are message stages or it takes long to build: such an email
   * delays only itself.
   */
  private async makeEarly(): Promise<LeaseEnd | undefined> {
    const { costly } = this.dependencies;
    if (this.cost === 0) return this.route.isStaged ? this.makeMessage() : undefined;
    const entered = costly.enter(this.email.accountId, this.email.id, this.cost);
    if (typeof entered === 'number') return this.interrupt(entered);
    try {
      return await this.makeMessage();
    } finally {
      entered();
    }
  }

  /**
   * Small emails are prepared when their turn is near, so that a slot does not wait for them. Large emails are prepared
   * when they hold the slot. No turn waits for stages, or for a message that takes long to build.
   */
  private get whenNear(): (() => void) | undefined {
    if (this.email.contentSize > INLINE_LIMITS.content) return undefined;
    const isEarly = this.route.isStaged || this.cost > 0;
    if (isEarly && !this.addressed) return undefined;
    return () => {
      if (this.isOver) return;
      this.prepared ??= this.prepare();
      this.prepared.catch(() => {});
    };
  }

  /** Undefined when the limits of the transport allow the message. */
  private async enterTransport(): Promise<LeaseEnd | undefined> {
    const { start, permits } = this.route;
    if (!(await start.enter(this.patience, this.turn))) return (await this.prepared) ?? this.endWithoutSlot();
    this.releases.push(() => start.leave(this.reported?.some(isAnswer) ?? false));
    // The recipients' own servers divide the slots: one that hangs must not delay the others here.
    if (!permits || this.route.rules.hop === 'final') return undefined;
    if (!(await permits.enter(this.patience, this.turn))) return (await this.prepared) ?? this.endWithoutSlot();
    let isIn = true;
    this.leavePermits = () => {
      if (isIn) permits.leave();
      isIn = false;
    };
    this.releases.push(this.leavePermits);
    return undefined;
  }

  /** Undefined when the message may be sent now, by the limits of the transport. It has a slot: permits count for their time. */
  private async takePermits(): Promise<LeaseEnd | undefined> {
    const { permits } = this.route;
    if (!permits) return undefined;
    const count = this.email.recipients.filter(isPending).length;
    const wait = await permits.take(count, this.patience, this.turn, this.whenNear);
    this.leavePermits();
    const day = today();
    if (wait === 0) this.releases.push(() => this.began === 0 && permits.giveBack(count, day));
    const end = await this.prepared;
    if (end || wait === 0) return end;
    if (this.hasOther) return this.moveOn(null);
    return this.route.pauseOf(this.email.accountId) > 0 ? this.waitForRoute() : this.putOff(wait);
  }

  /**
   * Time limit for a turn at the transport: less if another may take the email, now or in the next round, or beyond the share of
   * the transport. Milliseconds.
   */
  private get patience(): number {
    if (this.hasOther) return SHORT_PATIENCE;
    return this.tried.length > 0 || this.isExtra ? LAST_PATIENCE : PATIENCE;
  }

  private async sendInSlot(): Promise<LeaseEnd> {
    const { slots, breaker, permits } = this.route;
    const outages = {
      onDown: (call: () => void) => breaker.onDown(call),
      unreached: (error: unknown) => breaker.unreached(this.email.id, error),
      patience: this.isExtra ? LAST_PATIENCE : undefined,
    };
    const { whenNear } = this;
    const near = permits ? () => void (permits.isAwaited || whenNear?.()) : whenNear;
    const [granted] = await Promise.allSettled([
      slots.acquire(this.destination, near, this.hasOther || this.isExtra ? outages : undefined, this.turn),
    ]);
    const slot = granted.status === 'fulfilled' ? granted.value : undefined;
    if (slot) this.releases.push(() => slots.release(slot));
    const end = await this.prepared;
    if (end) return end;
    if (granted.status === 'rejected') return this.endUnreached(granted.reason);
    if (!slot) return this.endWithoutSlot();
    return (await this.takePermits()) ?? this.send(slot);
  }

  private endWithoutSlot(): LeaseEnd {
    this.isOver = true;
    return this.hasOther ? this.moveOn(null) : this.putOff(NO_SLOT);
  }

  private async send(slot: TransportSlot): Promise<LeaseEnd> {
    this.dependencies.turns.serve(this.turn);
    for (;;) {
      const end = (await this.prepare()) ?? (await this.sendPrepared(slot));
      if (end) return end;
    }
  }

  /** Asks the policies, builds the message and writes the attempt. Skips parts that are done and still hold. */
  private prepare(): Promise<LeaseEnd | undefined> {
    return this.dependencies.attempts.expect(() => this.prepareAttempt());
  }

  private async prepareAttempt(): Promise<LeaseEnd | undefined> {
    const end = await this.makeMessage();
    if (end) return end;
    const isOpen = !this.isOver && (await this.attempt.open({ ...this.held, transport: this.route.name }));
    return isOpen ? undefined : this.interrupt(NO_ATTEMPT);
  }

  private async makeMessage(): Promise<LeaseEnd | undefined> {
    this.addressed ??= this.dependencies.address(await this.whole(), this.route);
    const { addressed } = this;
    try {
      await addressed.make();
    } catch (error) {
      const reason = nameOf(error);
      this.dependencies.failures.failed({ emailId: this.email.id, kind: addressed.step, reason });
      const text = `The message could not be made: ${reason}`;
      return this.end(outcomesForAll(addressed.pending, 'deferred', { text, reasonCode: 'message_not_made' }));
    }
    return addressed.message ? undefined : this.end(null, addressed.refused);
  }

  /**
   * Undefined when the email must be prepared again: the policies' answer is too old, or that it is not paused, or a new
   * connection was opened.
   */
  private async sendPrepared(slot: TransportSlot): Promise<LeaseEnd | undefined> {
    const { message, refused, holds } = this.addressed ?? {};
    // No await is allowed between this check and sending.
    if (!message || !holds || !this.attempt.holds) return undefined;
    if (!this.dependencies.renewal.holds(this.held)) return this.interrupt(NO_ATTEMPT);

    this.attempt.settle();
    this.began = performance.now();
    if (!this.isLarge) this.releases.push(this.route.begin());
    const { recipients } = message;
    const sent = this.isSuspect ? { ...message, isSuspect: true } : message;
    const { breaker, name: transport } = this.route;
    const about = { email: this.email, recipients, transport };
    probe(() => ({ step: 'wire', ...this.probed }));
    const reported = await attempt(about, this.dependencies.observation, () => sendThrough(slot, sent));
    if (reported !== 'stale') {
      probe(() => ({ step: 'answer', ...this.probed, outcomes: probedOutcomes(reported) }));
      const isAway = breaker.isInDoubt(reported) && !(await breaker.answers(this.email.id));
      return isAway && !this.isAnyOpen ? this.waitForRoute() : this.endWith(reported, refused);
    }
    probe(() => ({ step: 'stale', ...this.probed }));
    if (this.hasReopened) return this.endWith(unreachable(recipients, new Error(CLOSES)), refused);
    this.hasReopened = true;
    try {
      await slot.reopen();
      return undefined;
    } catch (error) {
      return this.endUnreached(error);
    }
  }

  /**
   * Whether the message must leave with no other behind it: an earlier attempt lost its worker, or the destination may
   * hang.
   */
  private get isSuspect(): boolean {
    const { lease, destination, route } = this;
    return lease.lostEnds > 0 || (destination !== undefined && route.limits.speedOf(destination.name) !== 'quick');
  }

  /** The email with its content, also where that was not read with the lease. */
  private async whole(): Promise<PendingEmail> {
    const { email, dependencies } = this;
    if (email.contentSize === 0 || email.html !== null || email.text !== null) return email;
    this.content ??= await dependencies.contents.content(email.id);
    return { ...email, ...this.content };
  }

  private get probed() {
    const { id: emailId, fence } = this.held;
    return { emailId, fence, transport: this.route.name };
  }

  /** No connection could be opened. The hop is down only if no other connection is open. */
  private endUnreached(error: unknown): LeaseEnd {
    this.isOver = true;
    this.route.breaker.unreached(this.email.id, error);
    if (this.hasOther) return this.moveOn(null);
    return this.takeOpen() ?? this.putOff(NO_SLOT);
  }

  /** Another transport gets the email at once. Without outcomes there was no attempt. */
  private moveOn(outcomes: readonly RecipientOutcome[] | null, refused: Refused = new Map()): LeaseEnd {
    const { recipients, attempts } = this.email;
    const { name, rules } = this.route;
    probe(() => ({ step: 'move', ...this.probed }));
    return { ...this.held, ...moveOn({ recipients, refused, outcomes, attempts }, [...this.tried, name], rules) };
  }

  /** The email is tried again after `wait` milliseconds, in its former state: nothing was sent to the next hop. */
  private putOff(wait: number): LeaseEnd {
    return this.newRound(this.interrupt(wait));
  }

  /** The same in the same round: the transport has nothing to do with it. */
  private interrupt(wait: number): LeaseEnd {
    const { recipients, attempts } = this.email;
    return { ...this.held, ...postpone(recipients, attempts, wait) };
  }

  private endWith(reported: readonly RecipientOutcome[], refused?: Refused): LeaseEnd {
    const outcomes = withoutQuotedLimits(this.email, reported);
    this.reported = outcomes;
    const { breaker, failures } = this.route;
    if (this.candidates.length > 1) this.route.attempted(outcomes, () => quotableOf(this.email));
    breaker.attempted(this.email, outcomes);
    failures.attempted(this.email.id, outcomes);
    if (isWithoutVerdict(outcomes) && this.hasOther) return this.moveOn(outcomes, refused);
    return this.end(outcomes, refused);
  }

  private end(outcomes: readonly RecipientOutcome[] | null, refused: Refused = new Map()): LeaseEnd {
    const { accountId, recipients, attempts, age } = this.email;
    const { rules, breaker } = this.route;
    const pause = breaker.pauseOf(accountId);
    const by = this.chosen && { transport: this.chosen.name };
    const settled = settle({ recipients, refused, outcomes, attempts: attempts + 1, age, pause, ...by }, rules);
    if (this.candidates.length < 2) return { ...this.held, ...settled };
    return { ...this.held, ...settled, recipients: withTried(settled.recipients, this.triedAfter(outcomes)) };
  }

  /**
   * The transports that the next attempt does not take while others may. A recipient that was put off stays with its
   * transport; content that was put off may go to another one.
   */
  private triedAfter(outcomes: readonly RecipientOutcome[] | null): readonly string[] {
    if (!outcomes) return this.tried;
    if (isContentDeferred(outcomes)) {
      const tried = [...this.tried, this.route.name];
      return this.candidates.every(({ name }) => tried.includes(name)) ? [] : tried;
    }
    return isRecipientDeferred(outcomes) ? this.tried : [];
  }
}

function randomWithin({ least, most }: { least: number; most: number }): number {
  return least + Math.random() * (most - least);
}

/** Bytes of this email that are in memory during sending. Attachments are read in pieces, one after the other. */
function memoryOf({ contentSize, attachments }: PendingEmail): number {
  const largest = Math.max(0, ...attachments.map(({ size }) => size));
  return contentSize + Math.min(largest, ATTACHMENT_BYTES);
}
