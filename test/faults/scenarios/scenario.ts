import type { Faults } from '../../model/lease-model.js';
import type { HostEnvironment } from '../../support/hosts/host-process.js';
import type { QueueKind, World } from '../world/world.js';

/** A sample has one scenario of each. */
export const FAULT_KINDS = [
  'API killed',
  'worker killed or frozen',
  'PostgreSQL away or locked',
  'queue lost',
  'next hop lost',
  'next hop lies',
  'clocks',
  'webhooks',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** A line of the table. */
export interface Row {
  /** Lower-case letters and digits: it becomes part of domain names. */
  id: string;
  fault: string;
  /** A crash of a process, after which delivery must go on in time. */
  crash?: true;
  /** A named point: it counts only if it was hit as often as requested. */
  failpoint?: true;
  /** Belongs to the table of webhooks, which counts the events of these emails at the endpoints. */
  webhooks?: true;
}

/** Size of the run. */
export interface Extent {
  /** Hits of every failpoint. */
  hits: number;
  /** Duration of everything else, relative to the whole run. In a sample it is less than 1. */
  factor: number;
}

/** A sequence of faults in its own world. */
export interface Scenario {
  name: string;
  about: FaultKind;
  rows: readonly Row[];
  /** Maximum duration in a sample, in minutes, measured on two busy cores with two other scenarios. */
  minutes: number;
  /** Queue that it tests. Default: both. */
  only?: QueueKind;
  /** It tests SMTP: it runs with a relay that offers PIPELINING, and with a final hop that does not. */
  bothWays?: true;
  /** It measures: other scenarios at the same time would distort it. */
  alone?: true;
  /** It stops PostgreSQL, so it needs a server of its own. */
  ownPostgres?: true;
  /** `world.api` is a whole host with its own PostgreSQL. Start it, then call `world.reconnect`. */
  embedded?: true;
  /** It has endpoints for webhooks, with a receiver: `world.endpoints`. */
  webhooks?: true;
  /** Query of `SMTP_URL`. */
  smtpQuery?: string;
  /** Its processes have two relays, `world.first` and `world.sink`, and a third one that may have no mail after `world.bar`. */
  hasBackup?: true;
  /** The steps of its workers are checked against the model of the lease, with these faults for each email. */
  traced?: Partial<Faults>;
  /** Environment of its processes, in addition to the usual or instead of it. */
  environment?: HostEnvironment;
  run(world: World, extent: Extent): Promise<void>;
}
