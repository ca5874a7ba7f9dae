import type { Batcher } from '../../shared/work/batcher.js';
import type { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { Observation } from '../observation/observation.js';
import type { Destination, RecipientOutcome, TransportPlace } from '../ports/email-transport.js';
import type { DeliveryRepository, HeldLease, Lease, LeaseEnd, OwedEmail } from '../storage/delivery.repository.js';
import { outcomesForAll, unreachable } from '../transports/outcomes.js';
import { AddressedMessage } from './addressed-message.js';
import { attempt, nameOf, sendAt } from './attempt.js';
import type { ContentRoom } from './content-room.js';
import { destinationOf, isSeveral } from './destination.js';
import type { DomainLimiter } from './domain-limiter.js';
import type { FailureLog } from './failure-log.js';
import type { NextHop } from './hop/next-hop.js';
import { afterLostEnds } from './lost-ends.js';
import type { Places } from './places.js';
import type { RecipientPolicies, Refused } from './recipient-policies.js';
import { postpone, type SettlementRules, settle, waitFor } from './settlement.js';

/** Bytes of html and text that are read with a lease. */
export const INLINE_BYTES = 250_000;
/** Bytes that are in memory of an attachment that is being sent, at most. */
const ATTACHMENT_BYTES = 2_000_000;
/** After which a large email that found no room comes back. Milliseconds. */
const NO_ROOM = 2_000;
/** After which an email that got no place on a connection comes back. Milliseconds. */
const NO_PLACE = 1_000;
/** After which an email comes back whose attempt could not be written while its lease surely held. Milliseconds. */
const NO_ATTEMPT = 1_000;

const CLOSES = 'The next hop closes its connections.';

/** What all deliveries of a process have in common. */
export interface DeliveryMeans {
  domains: DomainLimiter;
  hop: Pick<NextHop, 'down' | 'attempted' | 'unreached' | 'isInDoubt' | 'ask'>;
  /** For large emails. */
  room: ContentRoom;
  places: Places;
  contents: Pick<DeliveryRepository, 'content'>;
  builder: MessageBuilder;
  policies: RecipientPolicies;
  attempts: Pick<Batcher<HeldLease, boolean>, 'add' | 'expect'>;
  renewal: Pick<LeaseRenewal<HeldLease>, 'holds'>;
  observation: Observation;
  failures: FailureLog;
  rules: SettlementRules;
}

/**
 * What is done with one email under one lease, a step after the other: the next hop is up, the domain's limit, room in memory, a place on a
 * connection, the policies, the message, the attempt, the next hop. A step that comes to an end says so, and no other follows.
 */
export class DeliveryRun {
  private readonly email: OwedEmail;
  /** Each gives back what a step took, in the order of the steps. */
  private readonly taken: (() => void)[] = [];
  private attemptIsOpen = false;
  private hasReopened = false;
  /** The destination of which a slot was taken, where the next hop is the recipients' own. */
  private destination: Destination | undefined;
  /** Under way or done, when the turn was near. */
  private prepared: Promise<LeaseEnd | undefined> | undefined;
  /** Once it was prepared. */
  private addressed: AddressedMessage | undefined;
  /** When the next hop was asked. Milliseconds, by the clock of `performance`. */
  private began = 0;
  /** What came of asking the next hop; null while it was not asked. */
  private told: readonly RecipientOutcome[] | null = null;

  constructor(
    private readonly lease: Lease,
    private readonly held: HeldLease,
    private readonly means: DeliveryMeans,
  ) {
    this.email = lease.email;
  }

  async run(): Promise<LeaseEnd> {
    try {
      return (
        // First of all: what kills its worker must not come so far again.
        this.settleLostEnds() ??
        this.waitForHop() ??
        (await this.enterDomain()) ??
        (await this.takeMemory()) ??
        (await this.sendAtPlace())
      );
    } finally {
      for (const giveBack of this.taken.reverse()) giveBack();
    }
  }

  private settleLostEnds(): LeaseEnd | undefined {
    const settled = afterLostEnds(this.lease, this.means.rules);
    return settled && { ...this.held, ...settled };
  }

  /** Undefined unless the next hop is down. */
  private waitForHop(): LeaseEnd | undefined {
    const { hop, rules } = this.means;
    return hop.down && { ...this.held, ...waitFor(hop.down, this.email, rules) };
  }

  /** Only where the next hop is the recipients' own: a relay has all domains. */
  private async enterDomain(): Promise<LeaseEnd | undefined> {
    const { domains, rules } = this.means;
    if (rules.hop === 'relay') return undefined;
    const name = destinationOf(this.email.recipients);
    const wait = await domains.enter(name, this.whenNear);
    if (wait > 0) return (await this.prepared) ?? this.putOff(wait);
    this.destination = { name, speed: domains.speedOf(name) ?? (isSeveral(name) ? 'slow' : undefined) };
    this.taken.push(() => domains.leave(name, this.told, this.began));
    return undefined;
  }

  /** Large emails wait for room in memory outside, so that no number of them exhausts it or keeps small ones waiting. */
  private async takeMemory(): Promise<LeaseEnd | undefined> {
    const bytes = memoryOf(this.email);
    if (bytes <= INLINE_BYTES) return undefined;
    const giveBack = await this.means.room.take(bytes, this.destination);
    if (!giveBack) return (await this.prepared) ?? this.putOff(NO_ROOM);
    this.taken.push(giveBack);
    return undefined;
  }

  /** Small emails are prepared when their turn is near, so that it never waits for them; others when they have it. */
  private get whenNear(): (() => void) | undefined {
    if (this.email.contentSize > INLINE_BYTES) return undefined;
    return () => {
      this.prepared ??= this.prepare();
      this.prepared.catch(() => {});
    };
  }

  private async sendAtPlace(): Promise<LeaseEnd> {
    const { places } = this.means;
    const [granted] = await Promise.allSettled([places.take(this.destination, this.whenNear)]);
    const place = granted.status === 'fulfilled' ? granted.value : undefined;
    if (place) this.taken.push(() => places.give(place));
    const end = await this.prepared;
    if (end) return end;
    if (granted.status === 'rejected') return this.endUnreached(granted.reason);
    return place ? this.send(place) : this.putOff(NO_PLACE);
  }

  private async send(place: TransportPlace): Promise<LeaseEnd> {
    for (;;) {
      const end = (await this.prepare()) ?? (await this.sendPrepared(place));
      if (end) return end;
    }
  }

  /** Asks the policies, builds the message and writes the attempt, as far as what was done of it does not hold any more. */
  private prepare(): Promise<LeaseEnd | undefined> {
    return this.means.attempts.expect(() => this.prepareAttempt());
  }

  private async prepareAttempt(): Promise<LeaseEnd | undefined> {
    const { builder, policies } = this.means;
    this.addressed ??= new AddressedMessage(await this.whole(), builder, policies);
    const { addressed } = this;
    try {
      await addressed.make();
    } catch (error) {
      const reason = nameOf(error);
      this.means.failures.failed({ emailId: this.email.id, kind: addressed.step, reason });
      const text = `The message could not be made: ${reason}`;
      return this.end(outcomesForAll(addressed.owed, 'deferred', { text }));
    }
    if (!addressed.message) return this.end(null, addressed.refused);
    return (await this.openAttempt()) ? undefined : this.putOff(NO_ATTEMPT);
  }

  /** Undefined when it has to be prepared again: the answer of the policies is too old, or a connection was opened anew. */
  private async sendPrepared(place: TransportPlace): Promise<LeaseEnd | undefined> {
    const { message, refused, holds } = this.addressed ?? {};
    // Nothing may come between this and the next hop's hearing of the message.
    if (!message || !holds) return undefined;
    if (!this.means.renewal.holds(this.held)) return this.putOff(NO_ATTEMPT);

    this.began = performance.now();
    const { recipients } = message;
    const sent = this.isSuspect ? { ...message, isSuspect: true } : message;
    const told = await attempt(this.email, recipients, this.means.observation, () => sendAt(place, sent));
    if (told !== 'stale') {
      const end = this.means.hop.isInDoubt(told) ? await this.askHop() : undefined;
      return end ?? this.endAsTold(told, refused);
    }
    if (this.hasReopened) return this.endAsTold(unreachable(recipients, new Error(CLOSES)), refused);
    this.hasReopened = true;
    try {
      await place.reopen();
      return undefined;
    } catch (error) {
      return this.endUnreached(error);
    }
  }

  /** An email that may have killed a worker, or may hang, leaves with no neighbour behind it. */
  private get isSuspect(): boolean {
    const { lease, destination, means } = this;
    return lease.lostEnds > 0 || (destination !== undefined && means.domains.speedOf(destination.name) !== 'quick');
  }

  /** The email with its content, also where that is too large to be read with the lease. */
  private async whole(): Promise<OwedEmail> {
    const { email, means } = this;
    return email.contentSize <= INLINE_BYTES ? email : { ...email, ...(await means.contents.content(email.id)) };
  }

  /**
   * Writes the attempt, unless that is done. False when it is not known to have been done in time, whatever the reason;
   * nothing may be said to the next hop then, and the end of the lease closes the attempt if there is one.
   */
  private async openAttempt(): Promise<boolean> {
    this.attemptIsOpen ||= await this.means.attempts.add(this.held).catch(() => false);
    return this.attemptIsOpen;
  }

  /** No connection was to be had. While others stand, there will be one. */
  private endUnreached(error: unknown): LeaseEnd {
    this.means.hop.unreached(this.email.id, error);
    return this.waitForHop() ?? this.putOff(NO_PLACE);
  }

  /** Undefined when the next hop is there: what the attempt found out was about the message. */
  private async askHop(): Promise<LeaseEnd | undefined> {
    await this.means.hop.ask(this.email.id);
    return this.waitForHop();
  }

  /** The email comes back after so many milliseconds as it was: nothing was said to the next hop. */
  private putOff(wait: number): LeaseEnd {
    const { recipients, attempts } = this.email;
    return { ...this.held, ...postpone(recipients, attempts, wait) };
  }

  private endAsTold(told: readonly RecipientOutcome[], refused?: Refused): LeaseEnd {
    this.told = told;
    this.means.hop.attempted(told);
    this.means.failures.attempted(this.email.id, told);
    return this.end(told, refused);
  }

  private end(outcomes: readonly RecipientOutcome[] | null, refused: Refused = new Map()): LeaseEnd {
    const { recipients, attempts } = this.email;
    return { ...this.held, ...settle({ recipients, refused, outcomes, attempts: attempts + 1 }, this.means.rules) };
  }
}

/** Bytes of this email that are in memory while it is sent. An attachment is read in pieces, one after the other. */
function memoryOf({ contentSize, attachments }: OwedEmail): number {
  const largest = attachments.reduce((most, { size }) => Math.max(most, size), 0);
  return contentSize + Math.min(largest, ATTACHMENT_BYTES);
}
