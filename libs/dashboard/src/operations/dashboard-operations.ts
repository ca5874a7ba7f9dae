/** The system's health, for operators. */
export interface OperationsReport {
  /** `degraded`: something will be late. `down`: this process cannot do its work. */
  status: 'ok' | 'degraded' | 'down';
  /** Result of each check: `ok`, or the reason why not. */
  checks: Readonly<Record<string, string>>;
  /** Emails that are due and that no worker has; null while that is unknown. */
  emails: { due: number; oldest_due_seconds: number } | null;
  /** Wake-ups in the queue by state; null while the queue is away. */
  jobs: Readonly<Record<string, number>> | null;
  /** Events that wait for subscribers; null while that is unknown. */
  subscribers: readonly { name: string; waiting: number; oldest_seconds: number }[] | null;
  /** Events to be sent to webhooks; null while that is unknown. */
  webhooks: { waiting: number; oldest_seconds: number } | null;
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
