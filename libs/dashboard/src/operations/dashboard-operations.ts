/** How the system is, for operators. */
export interface OperationsReport {
  /** `degraded`: something will be late. `down`: this process cannot do what it is there for. */
  status: 'ok' | 'degraded' | 'down';
  /** What each check found: `ok`, or the reason why not. */
  checks: Readonly<Record<string, string>>;
  /** Emails that are due and that no worker has; null while that cannot be told. */
  emails: { due: number; oldest_due_seconds: number } | null;
  /** Wake-ups in the queue by state; null while the queue is away. */
  jobs: Readonly<Record<string, number>> | null;
  /** Events that subscribers are still to be told; null while that cannot be told. */
  subscribers: readonly { name: string; waiting: number; oldest_seconds: number }[] | null;
  /** Events that are to be sent to webhooks; null while that cannot be told. */
  webhooks: { waiting: number; oldest_seconds: number } | null;
  process: { role: string; uptime_seconds: number; memory_bytes: number };
  /** Path of a board of the queues, where there is one. */
  board: string | null;
}

/** What the page shows operators, and how it knows them. */
export interface DashboardOperations {
  /** Whether this is the token of operators. @throws ApiError 429 after too many that were not */
  isOperator(token: string, remoteAddress: string | undefined): Promise<boolean>;
  /** Changes with that token, and tells nothing of it: sessions of operators end when it does. */
  readonly tokenId: string;
  /** How the system is now. What cannot be asked is null. */
  report(): Promise<OperationsReport>;
}
