import { Injectable } from '@nestjs/common';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import { Batcher } from '../../shared/work/batcher.js';
import { LeaseRecorder } from '../../shared/work/lease-recorder.js';
import { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import type { MessageBuilder } from '../message/message-builder.js';
import { INLINE_LIMITS } from '../message/message-cost.js';
import { MessageStages } from '../message/message-stages.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import { isSplit, type RecipientsPerMessage } from '../ports/recipients-per-message.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { reasonText } from '../states/reason-codes.js';
import type {
  DeliveryRepository,
  EndedMessage,
  HeldLease,
  Lease,
  LeaseEnd,
  NewAttempt,
  RecordedEvent,
  SplitEnd,
} from '../storage/deliver/delivery.repository.js';
import type { PermitsStore } from '../storage/deliver/permits.repository.js';
import { errorKind } from '../transports/outcomes.js';
import { AddressedMessage } from './addressed-message.js';
import { ContentRooms } from './content-rooms.js';
import { CostlyEmails } from './costly-emails.js';
import { probe, probed } from './delivery-probe.js';
import { DeliveryRun } from './delivery-run.js';
import { FailureLog } from './failure-log.js';
import { PolicyAnswers } from './policy-answers.js';
import type { RecipientPolicies } from './recipient-policies.js';
import { Routes, type RoutingOptions } from './routes/routes.js';
import { RunTurns } from './run-turns.js';
import type { SettlementRules } from './settlement.js';
import { type SplitDependencies, SplitRun } from './split/split-run.js';

/**
 * Milliseconds, except `maxSize`. A statement costs as much as dozens of its rows, and 20 ms hardly delay an email. The
 * pace is 50 ms while more than three quarters of all emails in progress wait for something else, such as a connection,
 * unless there are few: then something else is slow, and not the processor.
 */
const RUNS = { maxSize: 200, pace: 20, slowPace: 50, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/**
 * How long an email of a hop that is down is left to other processes. Another process may reach the hop; without this
 * delay, this process would lease all due emails at once, only to make them wait. Milliseconds.
 */
const COURTESY = 1_000;
/**
 * Memory limit for larger html, text and attachments. Bytes. Accounts together may hold half more, and sending uses
 * several times as much.
 */
const ROOM_BYTES = 24_000_000;

export interface DeliveryRules extends Omit<SettlementRules, 'hop' | 'host'> {
  /** Milliseconds. */
  lease: number;
  /** Emails that this process works on at the same time. */
  concurrency: number;
  /** Emails to one domain that this process sends at the same time. */
  destinationConcurrency: number;
  /** Share of an account while others wait, see `FairTurns`. Default: 1. */
  weightOf?: ((accountId: string) => number) | undefined;
  /** Default: `all`. */
  recipientsPerMessage?: RecipientsPerMessage | undefined;
}

/** Makes one attempt at one email. The queue is used only to wake emails. */
@Injectable()
export class DeliveryService {
  private readonly leases: Batcher<string, Awaited<ReturnType<DeliveryRepository['lease']>>[number]>;
  private readonly recorder: LeaseRecorder<LeaseEnd, readonly RecordedEvent[]>;
  private readonly splitRecorder: LeaseRecorder<SplitEnd, readonly RecordedEvent[]>;
  private readonly renewal: LeaseRenewal<HeldLease>;
  private readonly dependencies: SplitDependencies;
  readonly routes: Routes;
  /** Emails that this process is working on, with or without a lease. No second run starts on them. */
  private readonly underway = new Set<string>();

  constructor(
    repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    builder: Pick<MessageBuilder, 'build'>,
    routing: RoutingOptions,
    policies: RecipientPolicies,
    private readonly announcer: EventAnnouncer,
    observation: Observation,
    private readonly rules: DeliveryRules,
    stages = new MessageStages(),
    permits: PermitsStore = { take: async (_, wanted) => ({ granted: wanted, wait: 0 }) },
  ) {
    const runs = { ...RUNS, enough: () => this.underway.size / 4 };
    const withTags = routing.chooser !== undefined || routing.transports.some((one) => one.for?.tags !== undefined);
    this.leases = new Batcher((ids) => repository.lease(ids, rules.lease, INLINE_LIMITS, withTags), runs);
    const ended = 'the delivery of an email';
    this.recorder = new LeaseRecorder(repository, runs, ended);
    const splitEnds = {
      close: (ends: readonly SplitEnd[]) => repository.closeSplit(ends),
      closeLocked: (end: SplitEnd) => repository.closeSplitLocked(end),
    };
    this.splitRecorder = new LeaseRecorder(splitEnds, runs, ended);
    const notes = new Batcher(async (messages: EndedMessage[]) => {
      await repository.noteOutcomes(messages);
      return messages;
    }, runs);
    const opened = new Batcher(
      timed((attempts) => repository.openAttempts(attempts)),
      runs,
    );
    const checked = new Batcher(
      timed((attempts) => repository.checkAttempts(attempts)),
      runs,
    );
    const withdrawn = new Batcher((attempts: NewAttempt[]) => repository.withdrawAttempts(attempts), runs);
    this.renewal = new LeaseRenewal(repository, rules.lease, 'emails');
    const { destinationConcurrency, concurrency } = rules;
    const parts = {
      builder,
      stages,
      repository,
      queue,
      observation,
      rules,
      destinationConcurrency,
      permits,
      concurrency,
    };
    this.routes = new Routes(routing, parts);
    this.dependencies = {
      routes: this.routes,
      turns: new RunTurns(rules.weightOf),
      room: new ContentRooms(ROOM_BYTES),
      costly: new CostlyEmails(Math.ceil(concurrency / 2)),
      contents: repository,
      policies,
      address: (email, { messages }) => new AddressedMessage(email, messages, new PolicyAnswers(email, policies)),
      attempts: {
        add: (attempt) =>
          probed(opened.add(attempt), (from, askedAt) => stepOf('attempt', attempt, from, askedAt !== undefined)),
        check: (attempt) => checked.add(attempt),
        withdraw: (attempt) =>
          probed(withdrawn.add(attempt), (from, isDone) => stepOf('withdrawal', attempt, from, isDone)),
        expect: (work) => opened.expect(work),
      },
      note: (message) => notes.add(message),
      renewal: this.renewal,
      observation,
      failures: new FailureLog('the next hop', observation),
    };
  }

  /**
   * Leases the email, sends it to its pending recipients, and records the outcome. Duplicate, late and needless calls
   * are harmless: the lease decides. Rejects only when PostgreSQL fails; the lease then runs out and the email is tried
   * again.
   *
   * @param isAhead true if its turn came before that of emails which wait for long: no pace delays it. Default: false
   * @returns milliseconds until the email is due, when it is not due yet
   */
  async deliver(emailId: string, isAhead = false): Promise<number | undefined> {
    if (this.underway.has(emailId)) return undefined;
    this.underway.add(emailId);
    try {
      return await this.deliverOnce(emailId, isAhead);
    } catch (error) {
      this.dependencies.failures.failed({ emailId, kind: 'error', reason: errorKind(error) });
      throw error;
    } finally {
      this.underway.delete(emailId);
    }
  }

  private async deliverOnce(emailId: string, isAhead: boolean): Promise<number | undefined> {
    if (this.routes.down) await this.routes.backWithin(COURTESY);
    const asked = performance.now();
    const result = await this.leases.add(emailId, isAhead);
    if (result.kind === 'wait') return result.wait;
    if (result.kind === 'nothing') return undefined;

    const { lease } = result;
    probe(() => ({ step: 'lease', emailId, fence: lease.fence, from: asked }));
    const held: HeldLease = { id: emailId, fence: lease.fence };
    const release = this.renewal.hold(held, asked);
    try {
      const send = this.isSplit(lease) ? this.sendEach : this.sendOne;
      const { end, events } = await send.call(this, lease, held, isAhead);
      if (events) this.announce(lease, end, events);
      // A hop may have come back while the end of the lease was recorded.
      if (end.waitsFor !== undefined) this.routes.goOn(BigInt(end.waitsFor) & this.routes.upBits).catch(() => {});
    } finally {
      release();
    }
    return undefined;
  }

  private async sendOne(lease: Lease, held: HeldLease, isAhead: boolean) {
    const end = await new DeliveryRun(lease, held, this.dependencies).run();
    return { end, events: await probedEnd(this.recorder.record(this.routed(end), isAhead), held) };
  }

  private async sendEach(lease: Lease, held: HeldLease, isAhead: boolean) {
    const end = await new SplitRun(lease, held, this.dependencies).run();
    return { end, events: await probedEnd(this.splitRecorder.record(this.routed(end), isAhead), held) };
  }

  private routed<End extends LeaseEnd>(end: End): End {
    return this.routes.isOnly ? end : { ...end, isRouted: true };
  }

  /** An email whose worker died stays split, whatever the option says by now. */
  private isSplit({ email, endedOutcomes, lostMessages }: Lease): boolean {
    if (endedOutcomes || lostMessages) return true;
    return isSplit(this.rules.recipientsPerMessage, email) && email.recipients.length > 1;
  }

  /** Announces the events to listeners, and the next attempt to the queue. */
  private announce(lease: Lease, { id: emailId, retryIn, waitsFor }: LeaseEnd, events: readonly RecordedEvent[]): void {
    const { accountId, isBulk } = lease.email;
    this.announcer.announce([
      ...(lease.started ? [{ accountId, emailId, type: 'queued' as const, ...lease.started }] : []),
      ...events.map((event) => ({ accountId, emailId, ...event, ...shownReason(event) })),
    ]);
    // Many emails may wait for a hop: its return wakes them, else the sweep finds them.
    if (retryIn === null || waitsFor !== undefined) return;
    // The end of the lease moved the fence on.
    this.queue.wake({ emailId, accountId, fence: lease.fence + 1, delay: retryIn, isBulk });
  }

  /** Emails that this process is working on. */
  get size(): number {
    return this.underway.size;
  }
}

/** See `AttemptWrites`. */
function timed(write: (attempts: readonly NewAttempt[]) => Promise<readonly boolean[]>) {
  return async (attempts: readonly NewAttempt[]): Promise<(number | undefined)[]> => {
    const askedAt = performance.now();
    return (await write(attempts)).map((isDone) => (isDone ? askedAt : undefined));
  };
}

function stepOf(
  step: 'attempt' | 'withdrawal',
  { id: emailId, fence, transport }: NewAttempt,
  from: number,
  isDone: boolean,
) {
  return isDone ? ({ step, emailId, fence, transport, from } as const) : undefined;
}

function probedEnd<Events>(recording: Promise<Events | undefined>, { id: emailId, fence }: HeldLease) {
  return probed(recording, (from, events) => ({
    step: 'settlement',
    emailId,
    fence,
    recorded: events !== undefined,
    from,
  }));
}

function shownReason({ reason, reasonCode }: RecordedEvent): { reason?: string } {
  const text = reasonText(reasonCode, reason);
  return text === null ? {} : { reason: text };
}
