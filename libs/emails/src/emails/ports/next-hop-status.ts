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

/** State of the next hop, as a process with workers knows it. */
export interface KnownNextHop extends RecentOutcomes {
  /** When the first connection of this outage failed; null while it is not down. */
  downSince: Date | null;
  /** The last error, with the server's words; null before the first one. */
  error: string | null;
  /** When it last accepted a message of this process; null before the first one. */
  lastSuccess: Date | null;
}

/** The next hop, and the emails that wait for it. */
export interface NextHopStatus {
  /** Its name, such as host and port. */
  name: string;
  /** `unknown`: this process does not deliver, and no email waits. */
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
