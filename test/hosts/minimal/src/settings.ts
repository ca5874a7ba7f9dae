const { env } = process;

export const settings = {
  port: Number(env.PORT ?? 3000),
  role: env.ROLE === 'api' ? 'api' : 'all',
  databaseUrl: env.DATABASE_URL ?? 'postgres://localhost/newsletter',
  /** Without it, the queue is in PostgreSQL. */
  redisUrl: env.REDIS_URL,
  smtpUrl: env.SMTP_URL ?? 'smtp://localhost:25',
  /** True if that server is the recipients' own. */
  smtpHop: env.SMTP_HOP === 'final' ? 'final' : 'relay',
  /** Milliseconds between attempts, from `RETRY_SECONDS=60,300,900`. */
  retrySchedule: (env.RETRY_SECONDS ?? '60,300,900,3600').split(',').map((seconds) => Number(seconds) * 1_000),
  /** Queues, over which the accounts are divided. */
  queueShards: Number(env.QUEUE_SHARDS ?? 1),
  /** Interval of sweeps for emails that the queue lost. Milliseconds. */
  sweepInterval: Number(env.SWEEP_SECONDS ?? 2) * 1_000,
  /** Accounts by their keys, from `API_KEYS=account:key,account:key`. */
  accounts: new Map(env.API_KEYS?.split(',').map((pair) => pair.split(':').reverse() as [string, string])),
} as const;
