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
  /** A named point: it counts only when it was hit as often as was asked. */
  failpoint?: true;
  /** Of the table of webhooks: what counts are the events of these emails, at the endpoints. */
  webhooks?: true;
}

/** How much is to be done. */
export interface Extent {
  /** Hits of every failpoint. */
  hits: number;
  /** How long everything else lasts, compared with the whole run. In a sample it is less than 1. */
  factor: number;
}

/** A story with faults, told in a world of its own. */
export interface Scenario {
  name: string;
  about: FaultKind;
  rows: readonly Row[];
  /** Minutes that it takes at most in a sample: measured on two busy cores, next to two other scenarios. */
  minutes: number;
  /** The queue it is about. Default: both. */
  only?: QueueKind;
  /** It is about SMTP: it runs with a relay that offers PIPELINING, and with a final hop that does not. */
  bothWays?: true;
  /** It measures: what others do beside it would decide. */
  alone?: true;
  /** It stops PostgreSQL, so it needs one that nobody else uses. */
  ownPostgres?: true;
  /** `world.api` is a whole host with its own PostgreSQL. Start it, then call `world.reconnect`. */
  embedded?: true;
  /** There are endpoints for webhooks, and a receiver behind them: `world.endpoints`. */
  webhooks?: true;
  /** Query of `SMTP_URL`. */
  smtpQuery?: string;
  /** What its processes are told besides, or instead of the usual. */
  environment?: HostEnvironment;
  run(world: World, extent: Extent): Promise<void>;
}
