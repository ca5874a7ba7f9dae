import type { MessageBuilder } from '../../message/message-builder.js';
import type { MessageStages } from '../../message/message-stages.js';
import type { Observation } from '../../observation/observation.js';
import type { EmailTransport, RecipientOutcome } from '../../ports/email-transport.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import type { RoutedMail } from '../../ports/route-chooser.js';
import type { DeliveryQueue } from '../../queue/delivery-queue.js';
import type { DeliveryRepository } from '../../storage/deliver/delivery.repository.js';
import type { HopBits } from '../../storage/deliver/hop-bits.js';
import type { PermitsStore } from '../../storage/deliver/permits.repository.js';
import { reportsOverload } from '../../transports/overload-reply.js';
import { DomainLimiter } from '../domain-limiter.js';
import { FailureLog } from '../failure-log.js';
import { NextHop, nameOfHop } from '../hop/next-hop.js';
import { WaitingEmails } from '../hop/waiting-emails.js';
import type { SettlementRules } from '../settlement.js';
import { TransportSlots } from '../transport-slots.js';
import { type MayTake, mayTake } from './mail-rule.js';
import { Permits } from './permits.js';
import { SlowStart } from './slow-start.js';
import { limitsOf } from './transport-limits.js';
import type { WaitingLine } from './waiting-line.js';

/** How long a hop that said it gets too much gets less, while other transports may take the rest. Milliseconds. */
const PUSHED_BACK = 10_000;

/** Time without an answer to a small message after which other transports get new mail. Milliseconds. */
const SILENT = 2_000;

/** Dependencies of all routes of a process. */
export interface RouteParts {
  builder: Pick<MessageBuilder, 'build'>;
  stages: MessageStages;
  repository: Pick<DeliveryRepository, 'release'>;
  queue: Pick<DeliveryQueue, 'wake'>;
  observation: Observation;
  rules: Omit<SettlementRules, 'hop' | 'host'>;
  /** Limit of simultaneous emails to one domain. */
  destinationConcurrency: number;
  wrap: (transport: EmailTransport) => EmailTransport;
  bits: HopBits;
  permits: PermitsStore;
  /** Emails that this process works on at the same time. */
  concurrency: number;
}

/** One transport with this process's state of it: next hop, slots, limits, message builder. */
export class Route {
  readonly name: string;
  /** Its bit among the hops that an email waits for. */
  readonly bits: bigint;
  readonly weight: number;
  readonly transport: EmailTransport;
  /** Open while no connection can be opened: emails wait then, or take another route. */
  readonly breaker: NextHop;
  /** Slots on connections. */
  readonly slots: TransportSlots;
  /** Limit of messages at the same time. */
  readonly start: SlowStart;
  /** Limits of recipients by time, if there are any. */
  readonly permits: Permits | undefined;
  /** Limits the emails that wait for it. Undefined where it gets all mail. */
  readonly line: WaitingLine | undefined;
  /** When each small message began that has no end yet, the first one first. Milliseconds of `performance.now()`. */
  private readonly underway = new Set<{ began: number }>();
  /** When the hop last said that it gets too much. Milliseconds of `performance.now()`. */
  private pushedBackAt = Number.NEGATIVE_INFINITY;
  /** Limits of each destination. */
  readonly limits: DomainLimiter;
  /** Messages for this transport. */
  readonly messages: Pick<MessageBuilder, 'build'>;
  /** True if messages pass message stages that may take a while. */
  readonly isStaged: boolean;
  readonly rules: SettlementRules;
  readonly failures: FailureLog;
  private readonly rule: MayTake;

  /** @param line see there. Default: none */
  constructor(named: NamedTransport, parts: RouteParts, line?: WaitingLine) {
    const { name, transport: given, weight = 0, for: rule, maxConnections } = named;
    const transport = parts.wrap(given);
    const { builder, stages, repository, queue, observation, rules, destinationConcurrency } = parts;
    const { hop, kind = 'smtp' } = transport;
    const host = nameOfHop(transport);
    this.name = name ?? host;
    this.bits = parts.bits.of(this.name);
    this.weight = weight;
    this.transport = transport;
    this.rule = mayTake(rule);
    this.failures = new FailureLog(this.name, observation);
    const waiting = new WaitingEmails(repository, queue, this.bits);
    this.line = line;
    this.start = new SlowStart(maxConnections);
    const slowly: Pick<Observation, 'nextHop'> = {
      nextHop: (state) => {
        if (state.isUp) this.start.begin();
        observation.nextHop(state);
      },
    };
    this.breaker = new NextHop(this.name, transport, waiting, this.failures, slowly);
    const limits = limitsOf(named);
    this.permits = limits && new Permits(this.name, limits, parts.permits);
    this.slots = new TransportSlots(transport);
    this.limits = new DomainLimiter(destinationConcurrency);
    this.messages = stages.around(builder, { name: this.name, kind });
    this.isStaged = stages.mayWait;
    // Only a server of the recipients' own speaks for their operator.
    this.rules = { ...rules, hop, ...(hop === 'final' && { host: host.replace(/:\d+$/, '') }) };
  }

  mayTake(mail: RoutedMail): boolean {
    return this.rule(mail);
  }

  /** True if mail of this account may be given to it now. */
  isOpenFor(accountId: string): boolean {
    return this.breaker.down === undefined && this.pauseOf(accountId) === 0;
  }

  /** Milliseconds until mail of this account may be given to it, by its limits. */
  pauseOf(accountId: string): number {
    return Math.max(this.breaker.pauseOf(accountId), this.permits?.wait ?? 0);
  }

  /** True if an email would have to wait for its turn here, so that another transport should take it. */
  get isBusy(): boolean {
    const { start, permits, slots } = this;
    if (start.isFull || permits?.isFull || slots.isStalled || this.isSilent) return true;
    return slots.isAwaited && performance.now() - this.pushedBackAt < PUSHED_BACK;
  }

  /** A small message begins. @returns the function that ends it */
  begin(): () => void {
    const message = { began: performance.now() };
    this.underway.add(message);
    return () => void this.underway.delete(message);
  }

  /** True if the oldest small message has had no answer for some time. */
  private get isSilent(): boolean {
    const [oldest] = this.underway;
    return oldest !== undefined && performance.now() - oldest.began > SILENT;
  }

  /** Notes the outcomes of a message. @param quotable its parts, see `reportsOverload` */
  attempted(outcomes: readonly RecipientOutcome[], quotable: () => readonly string[]): void {
    const replies = outcomes.map(({ reply }) => reply);
    if (reportsOverload(replies, quotable)) this.pushedBackAt = performance.now();
  }
}
