import type { EmailsRole } from 'nestjs-emails';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether the SMTP server we talk to is the recipient's own (`final`) or passes mail on (`relay`). */
export const SMTP_HOPS = ['final', 'relay'] as const;
export type SmtpHop = (typeof SMTP_HOPS)[number];

export const ROLES = ['all', 'api', 'worker'] as const satisfies readonly EmailsRole[];

/** The host's environment, checked. Durations are in milliseconds. */
export interface Settings {
  /** `PORT`, default 3000. 0 takes a free one. */
  port: number;
  /** `HOST`, default 127.0.0.1. */
  host: string;
  /** `DATABASE_URL`. Absent: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /**
   * `DIRECT_DATABASE_URL`: the same database without a pooler, for a queue in PostgreSQL, which listens, and for
   * migrations. Where it differs from `databaseUrl`, that one leads through a pooler. Default: `databaseUrl`.
   */
  directDatabaseUrl: string | undefined;
  /** `REDIS_URL`: one server, or several nodes of a cluster. Absent: the queue lives in PostgreSQL. */
  redisUrls: readonly string[] | undefined;
  /** `SMTP_URL`. Absent: a local inbox receives everything. */
  smtpUrl: string | undefined;
  /** `SMTP_HOP`, default `relay` with `SMTP_URL`, `final` for the local inbox. */
  smtpHop: SmtpHop;
  /** `DATA_DIR` as an absolute path, default `.data`. */
  dataDir: string;
  /** `ROLE`, default `all`. */
  role: EmailsRole;
  /** `BOOTSTRAP_API_KEY`: a full-access key that exists from the start. Absent: one is made and kept in `dataDir`. */
  bootstrapApiKey: string | undefined;
  /** `LOG_LEVEL`, default `info`. */
  logLevel: LogLevel;
  /** `RATE_LIMIT`: requests per second and account. Absent: off. */
  rateLimit: number | undefined;
  /** `RETRY_SCHEDULE`: waiting times between attempts. Absent: the library's own. */
  retrySchedule: readonly number[] | undefined;
  /** `SWEEP_INTERVAL`: time between two looks for forgotten emails. Absent: the library's own. */
  sweepInterval: number | undefined;
  /** `RETENTION_CONTENT`: age at which html, text and attachments of a finished email are cleared. Absent: never. */
  contentRetention: number | undefined;
  /** `RETENTION_EVENTS`: age at which events and attempts of a finished email are deleted. Absent: never. */
  eventRetention: number | undefined;
  /** `REQUIRE_CONTENT`: whether emails without html and text are refused. Default: false. */
  requireContent: boolean;
  /** `DRAIN_DELAY`: time between "not ready" and the end of service when the process stops. Default: none. */
  drainDelay: number;
  /** `ADMIN_TOKEN`: opens `/metrics` and the queue board to operators. Absent: neither exists. */
  adminToken: string | undefined;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: where traces go. Absent: nothing is traced. */
  otlpEndpoint: string | undefined;
  /**
   * `SECRET_KEY`: what links are signed with; the first of several signs, all are known. Absent: one is made and kept in
   * `dataDir` where the database is embedded, else no links are made.
   */
  secretKeys: readonly string[] | undefined;
  /** `PUBLIC_URL`: where this host is reached from outside. Absent: links lead to the address that it listens on. */
  publicUrl: string | undefined;
  /** `WEBHOOK_ALLOW_PRIVATE`: blocks outside the public internet that webhooks may lie in. Default: none. */
  webhookAllowPrivate: readonly string[];
  /** `DASHBOARD_PATH`, default `/dashboard`: where the page for people is. Undefined, set to `off`: there is none. */
  dashboardPath: string | undefined;
  /** `QUEUE_SHARDS`, default 1: queues among which accounts are divided. */
  queueShards: number;
}
