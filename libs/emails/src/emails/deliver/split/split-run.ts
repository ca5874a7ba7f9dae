import { setTimeout } from 'node:timers/promises';
import { INLINE_LIMITS } from '../../message/message-cost.js';
import { isPending } from '../../states/recipient-state.js';
import type {
  EndedMessage,
  HeldLease,
  Lease,
  NewAttempt,
  PendingEmail,
  SplitEnd,
} from '../../storage/deliver/delivery.repository.js';
import { AddressedMessage } from '../addressed-message.js';
import { type DeliveryDependencies, DeliveryRun, NO_ATTEMPT } from '../delivery-run.js';
import { destinationOf } from '../destination.js';
import { afterLostEnds } from '../lost-ends.js';
import { PolicyAnswers } from '../policy-answers.js';
import type { RecipientPolicies } from '../recipient-policies.js';
import type { Route } from '../routes/route.js';
import { postpone, type Settlement } from '../settlement.js';
import { afterDeadWorker } from './dead-worker.js';
import { dueTurns, type RecipientTurn, turnsOf } from './recipient-turn.js';
import { splitEnd, type TurnEnd } from './split-end.js';

/**
 * Time after the first message until a lease ends, with recipients left: their email then goes to the end of the queue.
 * Until then no report about it is recorded, and no change. Milliseconds.
 */
const LONGEST_SPAN = 5_000;
/** Time spent on recipients that were put off, after which the others are left to the next lease. Milliseconds. */
const LONGEST_WAIT = 5_000;
/** Tries to write an attempt while the lease is locked by its renewal, and the time between them. Milliseconds. */
const OPEN_TRIES = 4;
const OPEN_INTERVAL = 50;

/** Dependencies of emails that are sent as one message for each recipient. */
export interface SplitDependencies extends DeliveryDependencies {
  policies: RecipientPolicies;
  /** Writes the outcome of a message. */
  note: (ended: EndedMessage) => Promise<unknown>;
}

/**
 * Handles one email under one lease, as one message after the other, each for one recipient. Each message acquires a slot of
 * its own, and releases it: between two messages the emails of others have their turn. Each has an attempt that is written
 * before it, and its outcome is written as soon as it is known, so that no later worker sends it again. The recipients' states
 * and events are recorded together, when the lease ends.
 */
export class SplitRun {
  private readonly began = performance.now();
  private readonly ends: TurnEnd[] = [];
  /** The outcome of the last message that is being written. */
  private noted: Promise<unknown> = Promise.resolve();
  private readonly answers: PolicyAnswers;
  /** With its content, if that is small, as soon as it was read. */
  private email: PendingEmail;
  /** Destinations that had no room, and the waits for them. */
  private readonly putOff = new Map<string, number>();
  /** Time spent on them. Milliseconds. */
  private waited = 0;
  /** When the first message was sent, or could not be. Milliseconds of `performance.now()`. */
  private firstAt: number | undefined;
  /** True if an attempt could not be written. */
  private isStuck = false;

  constructor(
    private readonly lease: Lease,
    private readonly held: HeldLease,
    private readonly dependencies: SplitDependencies,
  ) {
    this.email = lease.email;
    this.answers = new PolicyAnswers(lease.email, dependencies.policies);
  }

  async run(): Promise<SplitEnd> {
    const { lease, held, dependencies } = this;
    const ofAll = afterLostEnds(lease, dependencies.routes.named(undefined).rules);
    if (ofAll) return { ...held, ...ofAll, outcomes: null, messages: [] };
    const turns = turnsOf(lease);
    if (this.settleDeadWorker(turns)) {
      // The lease has counted an attempt without a known end.
      const isCounted = lease.lostMessages?.some(({ isNew }) => isNew) ?? false;
      return this.end(0, !isCounted);
    }
    await this.send(dueTurns(turns, lease));
    await this.noted;
    return this.end(this.isStuck ? NO_ATTEMPT : 0, true);
  }

  /**
   * True if an earlier worker left something to be settled: then this lease does nothing else, and the email continues with
   * the next one.
   */
  private settleDeadWorker(turns: readonly RecipientTurn[]): boolean {
    for (const turn of turns) {
      const settlement = afterDeadWorker(turn, this.lease, this.dependencies.routes);
      if (settlement) this.ends.push({ turn, settlement, age: this.age });
    }
    return this.lease.endedOutcomes !== undefined || this.ends.some(({ settlement }) => settlement.outcomes !== null);
  }

  private async send(turns: readonly RecipientTurn[]): Promise<void> {
    const waiting = new Set(this.ends.map(({ turn }) => turn.message));
    for (const turn of turns) {
      if (waiting.has(turn.message)) continue;
      const wait = this.putOff.get(this.destinationOf(turn));
      if (wait !== undefined) {
        this.ends.push({ turn, settlement: postpone([turn.recipient], turn.attempts, wait), age: this.age });
        continue;
      }
      if (this.isOver) return;
      await this.sendTo(turn);
    }
  }

  private async sendTo(turn: RecipientTurn): Promise<void> {
    this.noteLast();
    const { lease, held, dependencies } = this;
    const { message, recipient, attempts } = turn;
    const { age } = this;
    const email = { ...this.email, recipients: [recipient], attempts };
    const settlement = await new DeliveryRun({ ...lease, email, endUnknown: false, sinceLostEnd: null }, held, {
      ...dependencies,
      address: (part, route) => this.address(part, recipient.address, route),
      attempts: {
        add: (attempt) => this.open({ ...attempt, message }),
        check: (attempt) => this.check({ ...attempt, message }),
        withdraw: (attempt) => dependencies.attempts.withdraw({ ...attempt, message }),
        expect: (work) => dependencies.attempts.expect(work),
      },
    }).run();
    this.ends.push({ turn, settlement, age: this.age });
    if (settlement.outcomes !== null) this.firstAt ??= performance.now();
    else if (isPutOff(settlement)) {
      this.putOff.set(this.destinationOf(turn), settlement.retryIn ?? 0);
      this.waited += this.age - age;
    }
  }

  /** The message for one recipient. It is built from the whole email, the same object each time if its content is small. */
  private address({ html, text }: PendingEmail, address: string, { messages }: Route): AddressedMessage {
    const isRead = html === this.email.html && text === this.email.text;
    const email = isRead ? this.email : { ...this.email, html, text };
    if (email.contentSize <= INLINE_LIMITS.content) this.email = email;
    return new AddressedMessage(email, messages, this.answers, [address]);
  }

  /** Waits for the outcome of the message before: if this worker dies, only one message has none. */
  private async open(attempt: NewAttempt): Promise<number | undefined> {
    const { attempts, renewal } = this.dependencies;
    await this.noted;
    for (let tries = 1; renewal.holds(this.held); tries++) {
      const openedAt = await attempts.add(attempt).catch(() => null);
      if (typeof openedAt === 'number') return openedAt;
      if (openedAt === null || tries === OPEN_TRIES) break;
      await setTimeout(OPEN_INTERVAL);
    }
    this.isStuck = true;
    return undefined;
  }

  /** The email was paused, or the lease is lost: neither is better for the next recipient. */
  private async check(attempt: NewAttempt): Promise<number | undefined> {
    const checkedAt = await this.dependencies.attempts.check(attempt).catch(() => undefined);
    this.isStuck ||= checkedAt === undefined;
    return checkedAt;
  }

  /** The outcome of the last message of a lease is written with its end, and so is one that could not be written before. */
  private noteLast(): void {
    const last = this.ends.at(-1);
    const outcomes = last?.settlement.outcomes;
    if (!last || !outcomes) return;
    this.noted = this.dependencies.note({ ...this.held, message: last.turn.message, outcomes }).catch(() => {});
  }

  private get isOver(): boolean {
    const isLong = this.firstAt !== undefined && performance.now() - this.firstAt > LONGEST_SPAN;
    return isLong || this.isStuck || this.waited > LONGEST_WAIT || !this.dependencies.renewal.holds(this.held);
  }

  /** At relays there is only one. */
  private destinationOf({ recipient }: RecipientTurn): string {
    return this.dependencies.routes.areRelays ? '' : destinationOf([recipient]);
  }

  private get age(): number {
    return this.lease.email.age + performance.now() - this.began;
  }

  /** @param counts whether the attempt of this lease is still to be counted, if there was one */
  private end(wait: number, counts: boolean): SplitEnd {
    const { lease, held, ends, age } = this;
    const isTried = ends.some(({ turn, settlement }) => settlement.attempts > turn.attempts);
    const attempts = lease.email.attempts + (isTried && counts ? 1 : 0);
    return splitEnd({ lease, held, ends, age, wait, attempts });
  }
}

/** True if its destination had no room. Paused transports may be others for the next recipient. */
function isPutOff({ recipients, waitsFor, pausedTransports }: Settlement): boolean {
  return waitsFor === undefined && pausedTransports === undefined && recipients.some(isPending);
}
