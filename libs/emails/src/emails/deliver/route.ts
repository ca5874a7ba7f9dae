import type { MessageBuilder } from '../message/message-builder.js';
import type { MessageStages } from '../message/message-stages.js';
import type { Observation } from '../observation/observation.js';
import type { EmailTransport } from '../ports/email-transport.js';
import { DomainLimiter } from './domain-limiter.js';
import type { FailureLog } from './failure-log.js';
import { NextHop, nameOfHop } from './hop/next-hop.js';
import type { WaitingEmails } from './hop/waiting-emails.js';
import { TransportSlots } from './transport-slots.js';

/** Dependencies of a route, except its transport. */
interface RouteParts {
  builder: Pick<MessageBuilder, 'build'>;
  stages: MessageStages;
  waiting: Pick<WaitingEmails, 'release'>;
  failures: FailureLog;
  observation: Observation;
  /** Limit of simultaneous emails to one domain. */
  destinationConcurrency: number;
}

/** One transport with this process's state of it: next hop, slots, limits, message builder. */
export class Route {
  readonly name: string;
  /** Open while no connection can be opened: emails wait then. */
  readonly breaker: NextHop;
  /** Slots on connections. */
  readonly slots: TransportSlots;
  /** Limits of each destination. */
  readonly limits: DomainLimiter;
  /** Messages for this transport. */
  readonly messages: Pick<MessageBuilder, 'build'>;
  /** True if messages pass message stages that may take a while. */
  readonly isStaged: boolean;

  constructor(transport: EmailTransport, parts: RouteParts) {
    const { builder, stages, waiting, failures, observation, destinationConcurrency } = parts;
    this.name = nameOfHop(transport);
    this.breaker = new NextHop(transport, waiting, failures, observation);
    this.slots = new TransportSlots(transport);
    this.limits = new DomainLimiter(destinationConcurrency);
    this.messages = stages.around(builder, { name: this.name, kind: transport.kind ?? 'smtp' });
    this.isStaged = stages.mayWait;
  }
}
