import { setTimeout } from 'node:timers/promises';
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
import { type SpanOptions, traced } from '../tracing/tracing.js';
import { DestinationGate } from './destination-gate.js';
import { LeaseKeeper } from './lease-keeper.js';
import { MemoryRoom } from './memory-room.js';
import type { MessageBuilder } from './message-builder.js';
import { outcomesForAll } from './outcomes.js';
import { isOwed, postpone, type SettlementRules, settle } from './settlement.js';

/** A statement costs as much as dozens of its rows, and an email leaves hardly later for a fiftieth of a second. */
const RUNS = { maxSize: 200, pace: 20 };
/** Bytes of html and text that are read with a lease. */
const INLINE_BYTES = 250_000;
/** Bytes of larger html and text in memory at the same time. Building a message takes several times as much. */
const ROOM_BYTES = 50_000_000;
/** After which a large email that found no room comes back. Milliseconds. */
const NO_ROOM = 2_000;
/** How long the end of an attempt is kept in memory while PostgreSQL is away, and how often it is offered. Milliseconds. */
const RECORD_PATIENCE = 120_000;
const RECORD_INTERVAL = 250;

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
  private readonly ends: Batcher<LeaseEnd, boolean>;
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
    this.ends = new Batcher((ends) => repository.close(ends), RUNS);
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
    const result = await this.leases.add(emailId);
    if (result.kind === 'wait') return result.wait;
    if (result.kind === 'nothing') return undefined;

    const { lease } = result;
    const held: HeldLease = { id: emailId, fence: lease.fence };
    const letGo = this.keeper.hold(held);
    try {
      const end = await this.takeTurn(lease, held);
      if (!end || !(await this.record(end))) return undefined;
      this.announcer.announce([
        ...(lease.started ? [{ emailId, type: 'queued' as const }] : []),
        ...end.events.map((event) => ({ emailId, ...event })),
      ]);
      if (end.retryIn !== null) {
        this.queue.hint({ emailId, accountId: lease.email.accountId, fence: lease.fence, delay: end.retryIn });
      }
    } finally {
      letGo();
    }
    return undefined;
  }

  /**
   * Insists while PostgreSQL is away: what the next hop took must not be sent again for want of a note. False when the
   * lease was lost.
   */
  private async record(end: LeaseEnd): Promise<boolean> {
    const deadline = Date.now() + RECORD_PATIENCE;
    for (;;) {
      try {
        return await this.ends.add(end);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
        await setTimeout(RECORD_INTERVAL);
      }
    }
  }

  /** Undefined when the lease was lost before the attempt. */
  private async takeTurn(lease: Lease, held: HeldLease): Promise<LeaseEnd | undefined> {
    const { email } = lease;
    // First of all: no later turn knows of the unknown end.
    if (lease.endUnknown && this.rules.onUnknown === 'hold') return this.hold(email, held);
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

  /** For a human to decide: a copy may have been sent by the worker that died. */
  private hold({ recipients, attempts }: OwedEmail, held: HeldLease): LeaseEnd {
    const owed = recipients.filter(isOwed).map(({ address }) => address);
    const outcomes = outcomesForAll(owed, 'unknown', { text: 'A worker died during an attempt.' });
    return { ...held, ...settle({ recipients, refused: new Map(), outcomes, attempts: attempts + 1 }, this.rules) };
  }

  private async askTopic(email: OwedEmail, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    if (email.topicId === null) return refused;
    const decisions = await this.topicPolicy?.decide(email.accountId, email.topicId, addresses);
    for (const [index, address] of addresses.entries()) {
      const decision = decisions?.[index] ?? { allowed: false as const, reason: 'Topics are not available.' };
      if (!decision.allowed) refused.set(address, decision.reason);
    }
    return refused;
  }

  private async send(message: BuiltMessage): Promise<readonly RecipientOutcome[]> {
    try {
      const outcomes = await this.transport.send(message);
      const told = new Set(outcomes.map(({ address }) => address));
      const untold = message.recipients.filter((address) => !told.has(address));
      return [
        ...outcomes,
        ...outcomesForAll(untold, 'unknown', { text: 'The transport told nothing of this recipient.' }),
      ];
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
  return error instanceof Error ? error.name : 'unknown error';
}
