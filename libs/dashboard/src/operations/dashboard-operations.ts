/** One of the servers that get the mail. */
export interface TransportReport {
  name: string;
  /** `unknown`: this process does not deliver. */
  state: 'up' | 'down' | 'unknown';
  /** Since when it is down. ISO 8601. */
  since: string | null;
  /** As of `NextHopReport`. */
  accepted_per_minute: number | null;
  /** Limits of recipients, for all processes together; null without one. */
  per_second: number | null;
  per_day: number | null;
  /** Recipients of today (UTC), where it has a limit; else null. */
  used_today: number | null;
}

/** The servers that get the mail, for operators. */
export interface NextHopReport {
  /** Host and port. */
  name: string;
  /** `unknown`: this process does not deliver, and no email waits. */
  state: 'up' | 'down' | 'unknown';
  /** Since when it is down. ISO 8601. */
  since: string | null;
  /** Code and words of the last error, without addresses. */
  error: string | null;
  /** When it last accepted a message of this process. ISO 8601. */
  last_success: string | null;
  /** Emails that wait for it; counted up to 100,000. */
  waiting: number;
  oldest_waiting_seconds: number;
  /** Recipients that it accepted from this process in the last five minutes, by the minute; null where it does not deliver. */
  accepted_per_minute: number | null;
  /** The busiest destinations of these minutes; null where this process does not deliver. */
  destinations: readonly { domain: string; accepted: number; others: number }[] | null;
  /** Each of them. Default: there is one. */
  transports?: readonly TransportReport[];
}

/** Mail that is accepted and waits: at most one of account, topic and template, and none of them for all mail. */
export interface PauseReport {
  account?: string;
  topic?: string;
  template?: string;
  /** Name of the transport that may not take it. Absent: none may. */
  transport?: string;
  /** ISO 8601. */
  since: string;
  reason: string;
}

/** The pauses in force. */
export interface PausedReport {
  count: number;
  /** The oldest, that of all mail first. */
  longest: readonly PauseReport[];
  /** Emails that would leave when the pause of all mail ends, counted up to 100,000, and the accounts with most of them. Null without that pause. */
  mail: { count: number; accounts: readonly { account: string; count: number }[] } | null;
}

/** The system's health, for operators. */
export interface OperationsReport {
  /** `degraded`: something will be late. `down`: this process cannot do its work. */
  status: 'ok' | 'degraded' | 'down';
  /** Result of each check: `ok`, or the reason why not. */
  checks: Readonly<Record<string, string>>;
  /** Emails that are due and that no worker has, those that wait for a next hop included; null while that is unknown. */
  emails: { due: number; oldest_due_seconds: number } | null;
  /** The next hop; null while that is unknown. */
  next_hop: NextHopReport | null;
  /** Wake-ups in the queue by state; null while the queue is away. */
  jobs: Readonly<Record<string, number>> | null;
  /** Events that wait for subscribers; null while that is unknown. */
  subscribers: readonly { name: string; waiting: number; oldest_seconds: number }[] | null;
  /** Events to be sent to webhooks; null while that is unknown. */
  webhooks: { waiting: number; oldest_seconds: number } | null;
  /** The pauses, holds of accounts included; null while they are unknown. */
  paused: PausedReport | null;
  process: { role: string; uptime_seconds: number; memory_bytes: number };
  /** Path of a queue board, if there is one. */
  board: string | null;
}

/** The page's views for operators, and their token. */
export interface DashboardOperations {
  /** True if this is the token of operators. @throws ApiError 429 after too many wrong ones */
  isOperator(token: string, remoteAddress: string | undefined): Promise<boolean>;
  /** Changes with that token, and reveals nothing of it: sessions of operators end with it. */
  readonly tokenId: string;
  /** Present state of the system. Unknown figures are null. */
  report(): Promise<OperationsReport>;
}
