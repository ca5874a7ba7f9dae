import { Injectable } from '@nestjs/common';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import { Batcher } from '../../shared/work/batcher.js';
import { LeaseRecorder } from '../../shared/work/lease-recorder.js';
import { LeaseRenewal } from '../../shared/work/lease-renewal.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import type { EmailTransport } from '../ports/email-transport.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository, HeldLease, Lease, LeaseEnd, RecordedEvent } from '../storage/delivery.repository.js';
import { errorKind } from '../transports/outcomes.js';
import { ContentRoom } from './content-room.js';
import { type DeliveryMeans, DeliveryRun, INLINE_BYTES } from './delivery-run.js';
import { DomainLimiter } from './domain-limiter.js';
import { FailureLog } from './failure-log.js';
import { NextHop, nameOfHop } from './hop/next-hop.js';
import { WaitingEmails } from './hop/waiting-emails.js';
import { Places } from './places.js';
import type { RecipientPolicies } from './recipient-policies.js';
import type { SettlementRules } from './settlement.js';

/**
 * A statement costs as much as dozens of its rows, and an email leaves hardly later for a fiftieth of a second; for a
 * twentieth where more than three quarters of all emails under way wait for something else, such as a connection.
 */
const RUNS = { maxSize: 200, pace: 20, slowPace: 50, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/**
 * How long an email of a hop that is down is left to others, in milliseconds. Another process may reach it: if this one took
 * all that is due as quickly as it can, only to let it wait, the other would get next to nothing.
 */
const COURTESY = 1_000;
/** Bytes of larger html, text and attachments in memory at the same time. Sending takes several times as much. */
const ROOM_BYTES = 24_000_000;

export interface DeliveryRules extends SettlementRules {
  /** Milliseconds. */
  lease: number;
  /** Emails to one domain that this process sends at the same time. */
  destinationConcurrency: number;
}

/** The work of a worker: makes one attempt at one email. Knows no queue but to give it wake-ups. */
@Injectable()
export class DeliveryService {
  private readonly leases: Batcher<string, Awaited<ReturnType<DeliveryRepository['lease']>>[number]>;
  private readonly recorder: LeaseRecorder<LeaseEnd, readonly RecordedEvent[]>;
  private readonly renewal: LeaseRenewal<HeldLease>;
  private readonly means: DeliveryMeans;
  readonly hop: NextHop;
  /** Emails that this process is working on, lease or not: nobody else in it starts on them. */
  private readonly underway = new Set<string>();

  constructor(
    repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    builder: MessageBuilder,
    transport: EmailTransport,
    policies: RecipientPolicies,
    private readonly announcer: EventAnnouncer,
    observation: Observation,
    rules: DeliveryRules,
  ) {
    const runs = { ...RUNS, enough: () => this.underway.size / 4 };
    this.leases = new Batcher((ids) => repository.lease(ids, rules.lease, INLINE_BYTES), runs);
    this.recorder = new LeaseRecorder(repository, runs, 'the delivery of an email');
    this.renewal = new LeaseRenewal(repository, rules.lease, 'emails');
    const hopName = nameOfHop(transport);
    const failures = new FailureLog(hopName, observation);
    this.hop = new NextHop(transport, new WaitingEmails(repository, queue, hopName), failures, observation);
    this.means = {
      domains: new DomainLimiter(rules.destinationConcurrency),
      hop: this.hop,
      room: new ContentRoom(ROOM_BYTES),
      places: new Places(transport),
      contents: repository,
      builder,
      policies,
      attempts: new Batcher((leases: HeldLease[]) => repository.openAttempts(leases), runs),
      renewal: this.renewal,
      observation,
      failures,
      rules,
    };
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
    } catch (error) {
      this.means.failures.failed({ emailId, kind: 'error', reason: errorKind(error) });
      throw error;
    } finally {
      this.underway.delete(emailId);
    }
  }

  private async deliverOnce(emailId: string): Promise<number | undefined> {
    if (this.hop.down) await this.hop.backWithin(COURTESY);
    const asked = performance.now();
    const result = await this.leases.add(emailId);
    if (result.kind === 'wait') return result.wait;
    if (result.kind === 'nothing') return undefined;

    const { lease } = result;
    const held: HeldLease = { id: emailId, fence: lease.fence };
    const letGo = this.renewal.hold(held, asked);
    try {
      const end = await new DeliveryRun(lease, held, this.means).run();
      const events = await this.recorder.record(end);
      if (events) this.tell(lease, end, events);
      // It may have come back while the email settled down to wait.
      if (end.waitsFor !== undefined && !this.hop.down) this.hop.goOn().catch(() => {});
    } finally {
      letGo();
    }
    return undefined;
  }

  /** Whoever listens hears of it, and the queue of the next time. */
  private tell(lease: Lease, { id: emailId, retryIn, waitsFor }: LeaseEnd, events: readonly RecordedEvent[]): void {
    const { accountId } = lease.email;
    this.announcer.announce([
      ...(lease.started ? [{ accountId, emailId, type: 'queued' as const, ...lease.started }] : []),
      ...events.map((event) => ({ accountId, emailId, ...event })),
    ]);
    // What waits for a hop may be much, and is woken by its return; else the sweep finds it.
    if (retryIn === null || waitsFor !== undefined) return;
    // The end of the lease moved the fence on.
    this.queue.wake({ emailId, accountId, fence: lease.fence + 1, delay: retryIn });
  }

  /** Emails that this process is working on. */
  get size(): number {
    return this.underway.size;
  }
}
