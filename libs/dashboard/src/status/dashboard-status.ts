/** Why mail is late, for everybody who sees the page. */
export interface DashboardDegradation {
  /** ISO 8601. */
  since: string;
  /** `next_hop`: the server that gets the mail is down. `late`: due emails have no worker for over a minute. */
  what: 'next_hop' | 'late';
  /** Host and port of that server. */
  hop: string;
  /** Emails that wait, of all accounts; counted up to 100,000. */
  waiting: number;
}

/** The staging switch of the host, for everybody who sees the page. */
export interface DashboardStaging {
  /** The only addresses and domains that get mail; null: everybody. */
  only_to: readonly string[] | null;
  /** The mailbox that gets all messages in place of their recipients; null: none. */
  redirect_all_to: string | null;
}

/** The pause that keeps the visitor's mail, for the banner of the page. */
export interface DashboardPause {
  /** ISO 8601. */
  since: string;
  reason: string;
  /** `everything`: all mail of the host. `account`: the mail of the visitor's account. */
  what: 'everything' | 'account';
}

/**
 * The state of the system for the banner of the page. Every page asks for it several times a minute, so it must be
 * cheap. Null: mail is sent when it is due.
 */
export type DashboardStatus = () => Promise<DashboardDegradation | null>;
