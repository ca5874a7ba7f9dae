import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import { storableText } from '../../shared/text/storable-text.js';
import { type SpanOptions, traced } from '../../shared/tracing/tracing.js';
import { Batcher } from '../../shared/work/batcher.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import type { BuiltMessage, EmailTransport, RecipientOutcome, TransportPlace } from '../ports/email-transport.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { isOwed } from '../states/recipient-state.js';
import type { DeliveryRepository, HeldLease, Lease, LeaseEnd, OwedEmail } from '../storage/delivery.repository.js';
import { outcomesForAll, unreachable } from '../transports/outcomes.js';
import { AddressedMessage } from './addressed-message.js';
import { DomainLimiter } from './domain-limiter.js';
import { LeaseRecorder } from './lease-recorder.js';
import { LeaseRenewal } from './lease-renewal.js';
import { afterLostEnds } from './lost-ends.js';
import { Places } from './places.js';
import { postpone, type SettlementRules, settle } from './settlement.js';
import { toldOutcomes } from './told-outcomes.js';

/** A statement costs as much as dozens of its rows, and an email leaves hardly later for a fiftieth of a second. */
const RUNS = { maxSize: 200, pace: 20, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/** Bytes of html and text that are read with a lease. */
const INLINE_BYTES = 250_000;
/** Bytes of larger html, text and attachments in memory at the same time. Sending takes several times as much. */
const ROOM_BYTES = 24_000_000;
/** How long a large email waits for room, in milliseconds. */
const ROOM_PATIENCE = 1_000;
/** Bytes that are in memory of an attachment that is being sent, at most. */
const ATTACHMENT_BYTES = 2_000_000;
/** After which an email that got no place on a connection comes back. Milliseconds. */
const NO_PLACE = 1_000;
/** After which a large email that found no room comes back. Milliseconds. */
const NO_ROOM = 2_000;

/** After which an email comes back whose attempt could not be written while its lease surely held. Milliseconds. */
const NO_ATTEMPT = 1_000;

export interface DeliveryRules extends SettlementRules {
  /** Milliseconds. */
  lease: number;
  /** Emails to one domain that this process sends at the same time. */
  destinationConcurrency: number;
}

/** How a turn ends, and what came of asking the next hop: null when it was not asked. */
interface Turn {
  end: LeaseEnd;
  told: readonly RecipientOutcome[] | null;
}

/** The work of a worker: makes one attempt at one email. Knows no queue but to give it wake-ups. */
@Injectable()
export class DeliveryService {
  private readonly leases: Batcher<string, Awaited<ReturnType<DeliveryRepository['lease']>>[number]>;
  private readonly attempts: Batcher<HeldLease, boolean>;
  private readonly recorder: LeaseRecorder;
  private readonly renewal: LeaseRenewal;
  private readonly domains: DomainLimiter;
  private readonly places: Places;
  /** Of bytes. */
  private readonly memory = new Semaphore(ROOM_BYTES);
  /** Emails that this process is working on, lease or not: nobody else in it starts on them. */
  private readonly underway = new Set<string>();

  constructor(
    private readonly repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    private readonly builder: MessageBuilder,
    transport: EmailTransport,
    private readonly topicPolicy: TopicPolicy | undefined,
    private readonly announcer: EventAnnouncer,
    private readonly observation: Observation,
    private readonly rules: DeliveryRules,
  ) {
    this.leases = new Batcher((ids) => repository.lease(ids, rules.lease, INLINE_BYTES), RUNS);
    this.attempts = new Batcher((leases) => repository.openAttempts(leases), RUNS);
    this.recorder = new LeaseRecorder(repository, RUNS);
    this.renewal = new LeaseRenewal(repository, rules.lease);
    this.domains = new DomainLimiter(rules.destinationConcurrency);
    this.places = new Places(transport);
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
    const letGo = this.renewal.hold(held, asked);
    try {
      const end = await this.takeTurn(lease, held);
      if (!(await this.recorder.record(end))) return undefined;
      this.announcer.announce([
        ...(lease.started ? [{ emailId, type: 'queued' as const }] : []),
        ...end.events.map((event) => ({ emailId, ...event })),
      ]);
      if (end.retryIn !== null) {
        // The end of the lease moved the fence on.
        const fence = lease.fence + 1;
        this.queue.wake({ emailId, accountId: lease.email.accountId, fence, delay: end.retryIn });
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

  private async takeTurn(lease: Lease, held: HeldLease): Promise<LeaseEnd> {
    const { email } = lease;
    // First of all: what kills its worker must not come so far again.
    const settled = afterLostEnds(lease, this.rules);
    if (settled) return { ...held, ...settled };
    const destination = destinationOf(email);
    const wait = await this.domains.enter(destination);
    if (wait > 0) return this.putOff(email, held, wait).end;
    let told: Turn['told'] = null;
    try {
      const turn = await this.workWithinRoom(email, held);
      told = turn.told;
      return turn.end;
    } finally {
      this.domains.leave(destination, told);
    }
  }

  /** Large emails wait for room in memory outside, so that no number of them exhausts it or keeps small ones waiting. */
  private async workWithinRoom(email: OwedEmail, held: HeldLease): Promise<Turn> {
    const bytes = memoryOf(email);
    if (bytes <= INLINE_BYTES) return this.work(email, held);
    if (!(await this.memory.acquire(bytes, ROOM_PATIENCE))) return this.putOff(email, held, NO_ROOM);
    try {
      return await this.work(email, held);
    } finally {
      this.memory.release(bytes);
    }
  }

  /** Waits for a place on a connection before anything is read or asked. */
  private async work(email: OwedEmail, held: HeldLease): Promise<Turn> {
    // Ahead where the place is near: if places stood idle until a group of attempts is written, mail would be slower.
    const ahead = this.places.near && email.contentSize <= INLINE_BYTES ? this.begin(held) : undefined;
    const [granted, begun] = await Promise.allSettled([this.places.take(), ahead]);
    const place = granted.status === 'fulfilled' ? granted.value : undefined;
    try {
      if (begun.status === 'rejected' || begun.value === false) return this.putOff(email, held, NO_ATTEMPT);
      if (granted.status === 'rejected') return await this.endUnreached(email, held, granted.reason, begun.value);
      if (!place) return this.putOff(email, held, NO_PLACE);
      return await this.workAt(place, email, held, begun.value);
    } finally {
      if (place) this.places.give(place);
    }
  }

  /** @param begun whether the attempt is written already */
  private async workAt(place: TransportPlace, email: OwedEmail, held: HeldLease, begun = false): Promise<Turn> {
    const addressed = new AddressedMessage(await this.whole(email), this.builder, this.topicPolicy);
    for (let written = begun, reopened = false; ; ) {
      let message: BuiltMessage | undefined;
      try {
        message = await addressed.make();
      } catch (error) {
        const outcomes = outcomesForAll(addressed.owed, 'deferred', {
          text: `The message could not be made: ${nameOf(error)}`,
        });
        return { end: this.endOf(email, held, outcomes), told: null };
      }
      if (!message) return { end: this.endOf(email, held, null, addressed.refused), told: null };
      written ||= await this.begin(held);
      if (!written) return this.putOff(email, held, NO_ATTEMPT);
      // Nothing may come between this and the next hop's hearing of the message.
      if (!addressed.holds) continue;
      if (!this.renewal.holds(held)) return this.putOff(email, held, NO_ATTEMPT);

      const told = await this.attempt(email, message.recipients, () => this.send(place, message));
      if (told !== 'stale') return { end: this.endOf(email, held, told, addressed.refused), told };
      try {
        if (reopened) throw new Error('The next hop closes its connections.');
        await place.reopen();
        reopened = true;
      } catch (error) {
        const unreached = unreachable(message.recipients, error);
        return { end: this.endOf(email, held, unreached, addressed.refused), told: unreached };
      }
    }
  }

  /** The email with its content, also where that is too large to be read with the lease. */
  private async whole(email: OwedEmail): Promise<OwedEmail> {
    return email.contentSize <= INLINE_BYTES ? email : { ...email, ...(await this.repository.content(email.id)) };
  }

  /** An attempt that found no connection. */
  private async endUnreached(email: OwedEmail, held: HeldLease, error: unknown, begun = false): Promise<Turn> {
    if (!begun && !(await this.begin(held))) return this.putOff(email, held, NO_ATTEMPT);
    const owed = email.recipients.filter(isOwed).map(({ address }) => address);
    const told = await this.attempt(email, owed, async () => unreachable(owed, error));
    return { end: this.endOf(email, held, told), told };
  }

  /**
   * Writes the attempt. False when that is not known to have been done in time, whatever the reason; nothing may be said
   * to the next hop then, and the end of the turn closes the attempt if there is one.
   */
  private begin(held: HeldLease): Promise<boolean> {
    return this.attempts.add(held).catch(() => false);
  }

  /** The email comes back after so many milliseconds as it was: nothing was said to the next hop. */
  private putOff({ recipients, attempts }: OwedEmail, held: HeldLease, wait: number): Turn {
    return { end: { ...held, ...postpone(recipients, attempts, wait) }, told: null };
  }

  private endOf(
    { recipients, attempts }: OwedEmail,
    held: HeldLease,
    outcomes: readonly RecipientOutcome[] | null,
    refused: ReadonlyMap<string, string> = new Map(),
  ): LeaseEnd {
    return { ...held, ...settle({ recipients, refused, outcomes, attempts: attempts + 1 }, this.rules) };
  }

  /** @param work says what became of each of them */
  private async attempt<Told extends readonly RecipientOutcome[] | 'stale'>(
    { id, date }: OwedEmail,
    recipients: readonly string[],
    work: () => Promise<Told>,
  ): Promise<Told> {
    const started = performance.now();
    const outcomes = await traced('emails.attempt', attemptSpan(id, recipients), async (span) => {
      const told = await work();
      if (told !== 'stale') span.setAttribute('emails.outcomes', [...new Set(told.map(({ outcome }) => outcome))]);
      return told;
    });
    if (outcomes === 'stale') return outcomes;
    const duration = performance.now() - started;
    this.observation.attempted({ emailId: id, outcomes, duration, age: Date.now() - date.getTime() });
    return outcomes;
  }

  private async send(place: TransportPlace, message: BuiltMessage): Promise<readonly RecipientOutcome[] | 'stale'> {
    try {
      const told = await place.send(message);
      return told === 'stale' ? told : toldOutcomes(message.recipients, told);
    } catch (error) {
      return outcomesForAll(message.recipients, 'unknown', { text: `The transport failed: ${nameOf(error)}` });
    }
  }
}

function attemptSpan(emailId: string, recipients: readonly string[]): SpanOptions {
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

/** Bytes of this email that are in memory while it is sent. An attachment is read in pieces, one after the other. */
function memoryOf({ contentSize, attachments }: OwedEmail): number {
  const largest = attachments.reduce((most, { size }) => Math.max(most, size), 0);
  return contentSize + Math.min(largest, ATTACHMENT_BYTES);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? storableText(String(error.name), 100) : 'unknown error';
}
