import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { Batcher } from '../batching/batcher.js';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import type { BuiltMessage, EmailTransport, RecipientOutcome } from '../ports/email-transport.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository, HeldLease, Lease, LeaseEnd, OwedEmail } from '../storage/delivery.repository.js';
import { storableText } from '../text/storable-text.js';
import { type SpanOptions, traced } from '../tracing/tracing.js';
import { DestinationGate } from './destination-gate.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LeaseRecorder } from './lease-recorder.js';
import { afterLostEnds } from './lost-ends.js';
import { MemoryRoom } from './memory-room.js';
import type { MessageBuilder } from './message-builder.js';
import { outcomesForAll } from './outcomes.js';
import { isOwed, postpone, type SettlementRules, settle } from './settlement.js';
import { toldOutcomes } from './told-outcomes.js';

/** A statement costs as much as dozens of its rows, and an email leaves hardly later for a fiftieth of a second. */
const RUNS = { maxSize: 200, pace: 20, mayDivide: (error: unknown) => !isDatabaseUnavailable(error) };
/** Bytes of html and text that are read with a lease. */
const INLINE_BYTES = 250_000;
/** Bytes of larger html and text in memory at the same time. Building a message takes several times as much. */
const ROOM_BYTES = 50_000_000;
/** After which a large email that found no room comes back. Milliseconds. */
const NO_ROOM = 2_000;

/** Characters of a reason that a policy gives. */
const MAX_REASON = 500;
/** Whoever writes an attempt for so long that others may have the email says nothing to the next hop. */
const LEASE_RAN_OUT = { text: 'The lease ran out before the attempt began.' };

export interface DeliveryRules extends SettlementRules {
  /** Milliseconds. */
  lease: number;
  /** Emails to one domain that this process sends at the same time. */
  destinationConcurrency: number;
}

/** The work of a worker: makes one attempt at one email. Knows no queue but to give it hints. */
@Injectable()
export class DeliveryService {
  private readonly leases: Batcher<string, Awaited<ReturnType<DeliveryRepository['lease']>>[number]>;
  private readonly attempts: Batcher<HeldLease, boolean>;
  private readonly recorder: LeaseRecorder;
  private readonly keeper: LeaseKeeper;
  private readonly gate: DestinationGate;
  private readonly room = new MemoryRoom(ROOM_BYTES);
  /** Emails that this process is working on, lease or not: nobody else in it starts on them. */
  private readonly underway = new Set<string>();

  constructor(
    private readonly repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    private readonly builder: MessageBuilder,
    private readonly transport: EmailTransport,
    private readonly topicPolicy: TopicPolicy | undefined,
    private readonly announcer: EventAnnouncer,
    private readonly observation: Observation,
    private readonly rules: DeliveryRules,
  ) {
    this.leases = new Batcher((ids) => repository.lease(ids, rules.lease, INLINE_BYTES), RUNS);
    this.attempts = new Batcher((leases) => repository.openAttempts(leases), RUNS);
    this.recorder = new LeaseRecorder(repository, RUNS);
    this.keeper = new LeaseKeeper(repository, rules.lease);
    this.gate = new DestinationGate(rules.destinationConcurrency);
  }

  /**
   * Leases the email, sends it to whom it is owed, and records what came of it. Harmless when called twice, late or
   * for nothing: the lease decides. Rejects only when PostgreSQL fails; the lease then runs out and the email is
   * tried again.
   *
   * @returns milliseconds until the email is due, when it is not due yet
   */
  async deliver(emailId: string): Promise<number | undefined> {
    if (this.underway.has(emailId)) return undefined;
    this.underway.add(emailId);
    try {
      return await this.deliverOnce(emailId);
    } finally {
      this.underway.delete(emailId);
    }
  }

  private async deliverOnce(emailId: string): Promise<number | undefined> {
    const asked = performance.now();
    const result = await this.leases.add(emailId);
    if (result.kind === 'wait') return result.wait;
    if (result.kind === 'nothing') return undefined;

    const { lease } = result;
    const held: HeldLease = { id: emailId, fence: lease.fence };
    const letGo = this.keeper.hold(held, asked);
    try {
      const end = await this.takeTurn(lease, held);
      if (!end || !(await this.recorder.record(end))) return undefined;
      this.announcer.announce([
        ...(lease.started ? [{ emailId, type: 'queued' as const }] : []),
        ...end.events.map((event) => ({ emailId, ...event })),
      ]);
      if (end.retryIn !== null) {
        // The end of the lease moved the fence on.
        const fence = lease.fence + 1;
        this.queue.hint({ emailId, accountId: lease.email.accountId, fence, delay: end.retryIn });
      }
    } finally {
      letGo();
    }
    return undefined;
  }

  /** Emails that this process is working on. */
  get size(): number {
    return this.underway.size;
  }

  /** Undefined when the lease was lost before the attempt. */
  private async takeTurn(lease: Lease, held: HeldLease): Promise<LeaseEnd | undefined> {
    const { email } = lease;
    // First of all: what kills its worker must not come so far again.
    const settled = afterLostEnds(lease, this.rules);
    if (settled) return { ...held, ...settled };
    const destination = destinationOf(email);
    const wait = await this.gate.enter(destination);
    if (wait > 0) return { ...held, ...postpone(email.recipients, email.attempts, wait) };
    let end: LeaseEnd | undefined;
    try {
      end = await this.workWithinRoom(lease, held);
      return end;
    } finally {
      this.gate.leave(destination, end?.outcomes ?? null);
    }
  }

  /** Large emails wait for room in memory outside, so that no number of them exhausts it or keeps small ones waiting. */
  private async workWithinRoom(lease: Lease, held: HeldLease): Promise<LeaseEnd | undefined> {
    const { email } = lease;
    if (email.contentSize <= INLINE_BYTES) return this.work(lease, held);
    const giveBack = this.room.take(email.contentSize);
    if (!giveBack) return { ...held, ...postpone(email.recipients, email.attempts, NO_ROOM) };
    try {
      const content = await this.repository.content(email.id);
      return await this.work({ ...lease, email: { ...email, ...content } }, held);
    } finally {
      giveBack();
    }
  }

  /** Undefined when the lease was lost before the attempt. */
  private async work(lease: Lease, held: HeldLease): Promise<LeaseEnd | undefined> {
    const { email } = lease;
    const owed = email.recipients.filter(isOwed).map(({ address }) => address);
    const end = (refused: ReadonlyMap<string, string>, outcomes: readonly RecipientOutcome[] | null): LeaseEnd => ({
      ...held,
      ...settle({ recipients: email.recipients, refused, outcomes, attempts: email.attempts + 1 }, this.rules),
    });
    let refused: ReadonlyMap<string, string>;
    let message: BuiltMessage;
    try {
      refused = await this.askTopic(email, owed);
      const recipients = owed.filter((address) => !refused.has(address));
      if (recipients.length === 0) return end(refused, null);
      message = await this.builder.build(email, recipients, hiddenAddresses(email, refused));
    } catch (error) {
      return end(
        new Map(),
        outcomesForAll(owed, 'deferred', { text: `The message could not be made: ${nameOf(error)}` }),
      );
    }
    if (!(await this.attempts.add(held))) return undefined;
    if (!this.keeper.holds(held)) return end(refused, outcomesForAll(message.recipients, 'deferred', LEASE_RAN_OUT));
    return end(refused, await this.attempt(email, message));
  }

  private async attempt({ id, date }: OwedEmail, message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    const started = performance.now();
    const outcomes = await traced('emails.attempt', attemptSpan(id, message), async (span) => {
      const told = await this.send(message);
      span.setAttribute('emails.outcomes', [...new Set(told.map(({ outcome }) => outcome))]);
      return told;
    });
    const duration = performance.now() - started;
    this.observation.attempted({ emailId: id, outcomes, duration, age: Date.now() - date.getTime() });
    return outcomes;
  }

  private async askTopic(email: OwedEmail, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    if (email.topicId === null) return refused;
    const decisions = await this.topicPolicy?.decide(email.accountId, email.topicId, addresses);
    for (const [index, address] of addresses.entries()) {
      const decision = decisions?.[index] ?? { allowed: false as const, reason: 'Topics are not available.' };
      if (!decision.allowed) refused.set(address, storableText(decision.reason, MAX_REASON));
    }
    return refused;
  }

  private async send(message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    try {
      return toldOutcomes(message.recipients, await this.transport.send(message));
    } catch (error) {
      return outcomesForAll(message.recipients, 'unknown', { text: `The transport failed: ${nameOf(error)}` });
    }
  }
}

function attemptSpan(emailId: string, { recipients }: BuiltMessage): SpanOptions {
  return {
    kind: SpanKind.CLIENT,
    attributes: { 'emails.email_id': emailId, 'emails.recipients': recipients.length },
  };
}

/** The domain of the first recipient that is still owed. */
function destinationOf({ recipients }: OwedEmail): string {
  const address = recipients.find(isOwed)?.address ?? '';
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Whoever is not sent to leaves the visible headers too (contract, section 2.3). */
function hiddenAddresses(email: OwedEmail, refused: ReadonlyMap<string, string>): ReadonlySet<string> {
  const earlier = email.recipients.filter(({ status }) => status === 'suppressed').map(({ address }) => address);
  return new Set([...earlier, ...refused.keys()]);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? storableText(error.name, 100) : 'unknown error';
}
