/** Recipients of one destination, by the outcome of attempts. */
export interface DestinationOutcomes {
  /** A domain; `other` for those beyond the hundred of a minute. */
  domain: string;
  accepted: number;
  /** Deferred, rejected and unknown ones. */
  others: number;
}

/** Outcomes of the last five minutes in one process. */
export interface RecentOutcomes {
  /** Recipients that the next hop accepted, for each of these minutes on average. */
  acceptedPerMinute: number;
  /** The ten destinations with most recipients. */
  destinations: readonly DestinationOutcomes[];
}

/** State of a next hop, as a process with workers knows it. */
export interface KnownNextHop extends RecentOutcomes {
  /** Name of its transport. */
  name: string;
  /** When the first connection of this outage failed; null while it is not down. */
  downSince: Date | null;
  /** The last error, with the server's words; null before the first one. */
  error: string | null;
  /** When it last accepted a message of this process; null before the first one. */
  lastSuccess: Date | null;
}

/** The next hops, as a process with workers knows them. */
export interface KnownNextHops {
  hops: readonly KnownNextHop[];
  /** The outcomes of all together. */
  recent: RecentOutcomes;
}

/** State of one transport. */
export interface TransportStatus {
  name: string;
  /** `unknown`: this process does not deliver. */
  state: 'up' | 'down' | 'unknown';
  /** Since when it is down. */
  since: Date | null;
  /** Code and words of the last error, without addresses. */
  error: string | null;
  /** When it last accepted a message; null if unknown. */
  lastSuccess: Date | null;
  /** Recipients that it accepted from this process in the last five minutes, for each of them on average; null if unknown. */
  acceptedPerMinute: number | null;
  /** `maxPerSecond` of its options; null without one. */
  perSecond: number | null;
  /** `maxPerDay` as of today; null without one. */
  perDay: number | null;
  /** Recipients that all processes gave to it today (UTC), counted where it has a limit; else null. */
  usedToday: number | null;
}

/** The next hops, and the emails that wait for one. */
export interface NextHopStatus {
  /** The names of all transports with commas between them, such as host and port; of those that are down, if mail waits. */
  name: string;
  /**
   * `down`: each transport is down, or one is and mail waits for it. `unknown`: this process does not deliver, and no email
   * waits.
   */
  state: 'up' | 'down' | 'unknown';
  /** Since when it is down. */
  since: Date | null;
  /** Code and words of the last error, without addresses. */
  error: string | null;
  /** When it last accepted a message; null if unknown. */
  lastSuccess: Date | null;
  /** Emails that wait for it; counted up to 100,000. */
  waiting: number;
  /** How long the oldest of them has waited; 0 without any. Milliseconds. */
  oldestWaiting: number;
  /** Due emails without a worker, those that wait included; counted up to 100,000. */
  due: number;
  /** How long the oldest of them has been due; 0 without any. Milliseconds. */
  oldestDue: number;
  /** Figures of this process; null where it does not deliver. */
  recent: RecentOutcomes | null;
  /** Each transport, in the order of the options; accounts' own ones are left out. */
  transports: readonly TransportStatus[];
}

/** Why mail is late. */
export interface Degradation {
  since: Date;
  /** `next_hop`: no connection to it can be opened. `late`: due emails have no worker for over a minute. */
  what: 'next_hop' | 'late';
  /** Name of the next hop. */
  hop: string;
  /** Emails that wait. */
  waiting: number;
}
