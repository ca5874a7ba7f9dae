/** The next hop and the emails that wait for it. Times: ISO 8601. */
export interface NextHop {
  name: string;
  state: 'up' | 'down' | 'unknown';
  since: string | null;
  error: string | null;
  last_success: string | null;
  waiting: number;
  oldest_waiting_seconds: number;
  accepted_per_minute: number | null;
  destinations: readonly { domain: string; accepted: number; others: number }[] | null;
}

/** The server's report about itself for operators. Unknown figures are null. */
export interface Report {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<string, string>;
  emails: { due: number; oldest_due_seconds: number } | null;
  /** Absent at a host that does not report it. */
  next_hop?: NextHop | null;
  jobs: Record<string, number> | null;
  subscribers: { name: string; waiting: number; oldest_seconds: number }[] | null;
  webhooks: { waiting: number; oldest_seconds: number } | null;
  process: { role: string; uptime_seconds: number; memory_bytes: number };
  board: string | null;
}
