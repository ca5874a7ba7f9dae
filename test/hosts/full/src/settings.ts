const { env } = process;

export const settings = {
  port: Number(env.PORT ?? 3000),
  databaseUrl: env.DATABASE_URL ?? 'postgres://localhost/shop',
  /** Without it, queue and rate limit are in PostgreSQL. */
  redisUrl: env.REDIS_URL,
  smtpUrl: env.SMTP_URL ?? 'smtp://localhost:25',
  /** Requests per second of one account. */
  rateLimit: Number(env.RATE_LIMIT ?? 1_000),
  secretKeys: [env.SECRET_KEY ?? 'a secret for your first look at it, and no longer'],
  only: env.ONLY,
};
