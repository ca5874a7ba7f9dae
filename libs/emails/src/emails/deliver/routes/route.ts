import type { MessageBuilder } from '../../message/message-builder.js';
import type { MessageStages } from '../../message/message-stages.js';
import type { Observation } from '../../observation/observation.js';
import type { EmailTransport } from '../../ports/email-transport.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import type { RoutedMail } from '../../ports/route-chooser.js';
import type { DeliveryQueue } from '../../queue/delivery-queue.js';
import type { DeliveryRepository } from '../../storage/deliver/delivery.repository.js';
import { hopBits } from '../../storage/deliver/hop-bits.js';
import { DomainLimiter } from '../domain-limiter.js';
import { FailureLog } from '../failure-log.js';
import { NextHop, nameOfHop } from '../hop/next-hop.js';
import { WaitingEmails } from '../hop/waiting-emails.js';
import type { SettlementRules } from '../settlement.js';
import { TransportSlots } from '../transport-slots.js';
import { type MayTake, mayTake } from './mail-rule.js';

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
  /** Limits of each destination. */
  readonly limits: DomainLimiter;
  /** Messages for this transport. */
  readonly messages: Pick<MessageBuilder, 'build'>;
  /** True if messages pass message stages that may take a while. */
  readonly isStaged: boolean;
  readonly rules: SettlementRules;
  readonly failures: FailureLog;
  private readonly rule: MayTake;

  constructor({ name, transport: given, weight = 0, for: rule }: NamedTransport, parts: RouteParts) {
    const transport = parts.wrap(given);
    const { builder, stages, repository, queue, observation, rules, destinationConcurrency } = parts;
    const { hop, kind = 'smtp' } = transport;
    const host = nameOfHop(transport);
    this.name = name ?? host;
    this.bits = hopBits([this.name]);
    this.weight = weight;
    this.transport = transport;
    this.rule = mayTake(rule);
    this.failures = new FailureLog(this.name, observation);
    const waiting = new WaitingEmails(repository, queue, this.bits);
    this.breaker = new NextHop(this.name, transport, waiting, this.failures, observation);
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
    return this.breaker.down === undefined && this.breaker.pauseOf(accountId) === 0;
  }
}
