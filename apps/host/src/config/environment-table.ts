import type { EmailsRole } from 'nestjs-emails';
import type { Variable } from './environment-reader.js';
import * as format from './variables.js';

/** A variable of the environment: its parser, and its description in docs/operating.md. */
interface EnvironmentRow<T> extends Variable<T> {
  /** Name of its setting. */
  setting: string;
  does: string;
  default?: T;
  /** Default in words, where it is not a value. */
  unset?: string;
}

/** Every variable that the host reads. */
export const ENVIRONMENT = {
  PORT: { ...format.port, setting: 'port', default: 3000, does: 'The port on which the API listens.' },
  HOST: { ...format.hostName, setting: 'host', default: '127.0.0.1', does: 'The address on which the API listens.' },
  DATABASE_URL: {
    ...format.databaseUrl,
    setting: 'databaseUrl',
    unset: 'an embedded PostgreSQL in `DATA_DIR`',
    does: 'The database. `ROLE=api` and `ROLE=worker` need it.',
  },
  DIRECT_DATABASE_URL: {
    ...format.databaseUrl,
    setting: 'directDatabaseUrl',
    unset: '`DATABASE_URL`',
    does:
      'The same database without a pooler, for migrations and a queue in PostgreSQL, which listens. Set it if ' +
      '`DATABASE_URL` uses a pooler.',
  },
  REDIS_URL: {
    ...format.redisUrls,
    setting: 'redisUrls',
    unset: 'the queue is in PostgreSQL',
    does: 'The Redis of the queue.',
  },
  QUEUE_SHARDS: {
    ...format.shards,
    setting: 'queueShards',
    default: 1,
    does: 'Queues among which accounts are divided; the same in every process.',
  },
  SMTP_URL: {
    ...format.smtpUrls,
    setting: 'smtpUrls',
    unset: 'a local inbox receives everything',
    does:
      'The server that gets all mail; of several, the first that can be reached. `tls=required` is the default with a password, except to this machine; timeouts are ' +
      'those of RFC 5321; `maxConnections` is 20, and an overloaded relay gets fewer; `?maxPerSecond=14&maxPerDay=50000` limits recipients, by all processes together.',
  },
  INBOX_RELEASE_URL: {
    ...format.smtpUrl,
    setting: 'inboxReleaseUrl',
    unset: 'nothing leaves the local inbox',
    does: 'A server to which the page can release single messages of the local inbox, for a look at them in a real mailbox.',
  },
  SMTP_HOP: {
    ...format.hops,
    setting: 'smtpHops',
    unset: '`relay`; for the local inbox `final`',
    does: "Whether that server is the recipients' own: only then does accepted mean `delivered`.",
  },
  BOUNCE_DOMAIN: {
    ...format.domain,
    setting: 'bounceDomain',
    unset: "reports go to the sender's address; with the local inbox `bounces.test`",
    does: 'The domain of return paths, whose MX leads to `BOUNCE_SMTP_PORT`. Needs `SECRET_KEY`.',
  },
  BOUNCE_SMTP_PORT: {
    ...format.port,
    setting: 'bounceSmtpPort',
    unset: 'off; with the local inbox a free port of this machine',
    does: 'The port on which workers accept bounces and complaints by SMTP. Needs `BOUNCE_DOMAIN` or `FEEDBACK_ADDRESSES`.',
  },
  BOUNCE_HOST: {
    ...format.domain,
    setting: 'bounceHost',
    unset: "the return path of a domain is the relay's, and needs no records",
    does: 'The host of `BOUNCE_SMTP_PORT`, for the MX record of the return path of each domain. Needs `SPF_MECHANISMS`, and with `SMTP_URL` a `BOUNCE_DOMAIN`.',
  },
  SPF_MECHANISMS: {
    ...format.spfMechanisms,
    setting: 'spfMechanisms',
    unset: 'none',
    does: 'What may send for the domains, for the SPF record of their return paths. Needs `BOUNCE_HOST`.',
  },
  FROM_DOMAINS: {
    ...format.oneOf(['any', 'verified']),
    setting: 'fromDomains',
    default: 'any',
    does: 'The domains that `from` may have: any, or those alone that the account has verified.',
  },
  DKIM: {
    ...format.oneOf(['own', 'relay']),
    setting: 'dkim',
    default: 'own',
    does:
      '`relay`: the server at `SMTP_URL` signs all mail, `List-Unsubscribe` and `List-Unsubscribe-Post` included. Domains have no ' +
      'keys of their own then.',
  },
  FEEDBACK_ID: {
    ...format.feedbackId,
    setting: 'feedbackId',
    unset: 'no such field',
    does: "The sender in the field `Feedback-ID` of signed mail, for the spam rates in Gmail's Postmaster Tools.",
  },
  DNS_SERVERS: {
    ...format.dnsServers,
    setting: 'dnsServers',
    unset: 'those of the system',
    does: 'The servers that records of domains are looked up at.',
  },
  FEEDBACK_ADDRESSES: {
    ...format.addresses,
    setting: 'feedbackAddresses',
    default: [],
    unset: 'none',
    does: 'Addresses to which mailbox providers send complaints, accepted at `BOUNCE_SMTP_PORT`.',
  },
  FEEDBACK_SENDERS: {
    ...format.domains,
    setting: 'feedbackSenders',
    default: [],
    unset: 'none: no complaint counts',
    does: 'Domains of these providers: a complaint counts if one of them signed it (DKIM).',
  },
  PUBLIC_URL: {
    ...format.publicUrl,
    setting: 'publicUrl',
    unset: 'the listening address',
    does: 'The public address of this host, the base of links to attachments, shared emails and unsubscribe pages.',
  },
  DASHBOARD_PATH: {
    ...format.mountPath,
    setting: 'dashboardPath',
    default: '/dashboard',
    does: 'The path of the page; `off`: no page.',
  },
  SECRET_KEY: {
    ...format.secretKeys,
    setting: 'secretKeys',
    unset: 'generated in `DATA_DIR` with the embedded database; else none, without links and webhooks',
    does:
      'Signs links and sessions of the page, and encrypts the signing secrets of webhooks. The same in every process; the ' +
      'first signs, all are recognized.',
  },
  WEBHOOK_ALLOW_PRIVATE: {
    ...format.blocks,
    setting: 'webhookAllowPrivate',
    default: [],
    unset: 'none',
    does: 'Blocks outside the public internet that webhooks may be in; `http` is allowed only there.',
  },
  HOOK_SES_TOPICS: {
    ...format.snsTopics,
    setting: 'hookSesTopics',
    unset: '`/hooks/ses` is 404',
    does: 'ARNs of the topics of Amazon SNS by which Amazon SES reports, with commas between them.',
  },
  HOOK_POSTMARK_AUTH: {
    ...format.basicAuth,
    setting: 'hookPostmarkAuth',
    unset: '`/hooks/postmark` is 404',
    does: "The user and password in the URL of Postmark's webhook, with a colon between them.",
  },
  HOOK_MAILGUN_KEY: {
    ...format.mailgunKey,
    setting: 'hookMailgunKey',
    unset: '`/hooks/mailgun` is 404',
    does: "Mailgun's HTTP webhook signing key. Its requests must come by https; a proxy sets `X-Forwarded-Proto`.",
  },
  HOOK_SENDGRID_KEY: {
    ...format.sendgridKey,
    setting: 'hookSendgridKey',
    unset: '`/hooks/sendgrid` is 404',
    does: "The verification key of SendGrid's signed event webhook.",
  },
  ALARM_WEBHOOK_URL: {
    ...format.alarmUrl,
    setting: 'alarmWebhookUrl',
    unset: 'none',
    does: 'A URL of yours that gets alarms, signed by `ALARM_WEBHOOK_SECRET`.',
  },
  ALARM_WEBHOOK_SECRET: {
    ...format.signingSecret,
    setting: 'alarmWebhookSecret',
    unset: 'none; `ALARM_WEBHOOK_URL` needs it',
    does: 'The secret by which the receiver verifies alarms.',
  },
  ALARM_TO: {
    ...format.addresses,
    setting: 'alarmTo',
    default: [],
    unset: 'none',
    does: 'Addresses that get alarms by email, whatever happens to accounts.',
  },
  ALARM_FROM: {
    ...format.address,
    setting: 'alarmFrom',
    unset: 'the first address of `ALARM_TO`',
    does: 'The sender of these emails.',
  },
  ON_REPUTATION: {
    ...format.oneOf(['warn', 'hold']),
    setting: 'onReputation',
    default: 'warn',
    does:
      '`warn` raises an alarm at 2 % bounces or 0.1 % complaints of an account; `hold` also holds its emails at 5 % or ' +
      '0.3 %.',
  },
  QUOTA_PER_DAY: {
    ...format.positiveWhole,
    setting: 'quotaPerDay',
    unset: 'no limit',
    does: 'Recipients of each account in a day (UTC). Beyond it 429 `daily_quota_exceeded`.',
  },
  QUOTA_PER_MONTH: {
    ...format.positiveWhole,
    setting: 'quotaPerMonth',
    unset: 'no limit',
    does: 'Recipients of each account in a month (UTC). Beyond it 429 `monthly_quota_exceeded`.',
  },
  REQUIRE_CONTENT: {
    ...format.trueOrFalse,
    setting: 'requireContent',
    default: false,
    does: '`true` refuses an email without html and text; else it is sent empty.',
  },
  RECIPIENTS_PER_MESSAGE: {
    ...format.oneOf(['all', '1', 'topics']),
    setting: 'recipientsPerMessage',
    default: 'all',
    does: '`1` sends each recipient a message of its own; `topics` does so for emails with a topic.',
  },
  ONLY_TO: {
    ...format.recipients,
    setting: 'onlyTo',
    unset: 'everybody',
    does:
      'For staging: the only addresses and domains that get mail, with commas between them, without subdomains. Emails to ' +
      'others fail (`not_allowed_here`).',
  },
  REDIRECT_ALL_TO: {
    ...format.recipient,
    setting: 'redirectAllTo',
    unset: 'each message goes to its recipients',
    does: 'For staging: a mailbox that gets each message once, in place of its recipients.',
  },
  START_PAUSED: {
    ...format.trueOrFalse,
    setting: 'startPaused',
    default: false,
    does: 'For a restored database: `true` pauses all mail at the start, unless it is paused. The page, or `EmailsService.resume()`, ends it.',
  },
  SEARCH: {
    ...format.trueOrFalse,
    setting: 'search',
    default: true,
    does: '`false` does not index the words of emails, and refuses `search`.',
  },
  DATA_DIR: {
    ...format.directory,
    setting: 'dataDir',
    default: '.data',
    does: 'The embedded database, the inbox and generated keys.',
  },
  ROLE: {
    ...format.oneOf<EmailsRole>(['all', 'api', 'worker']),
    setting: 'role',
    default: 'all',
    does: '`api` accepts and lists, `worker` delivers.',
  },
  BOOTSTRAP_API_KEY: {
    ...format.apiKey,
    setting: 'bootstrapApiKey',
    unset: 'generated once, printed and kept in `DATA_DIR`',
    does: 'A full-access key that exists from the start.',
  },
  LOG_LEVEL: {
    ...format.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    setting: 'logLevel',
    default: 'info',
    does: 'The lowest logged level.',
  },
  RATE_LIMIT: {
    ...format.positiveWhole,
    setting: 'rateLimit',
    unset: 'off',
    does: 'Requests per second and account.',
  },
  RETRY_SCHEDULE: {
    ...format.durations,
    setting: 'retrySchedule',
    unset: '`1m,5m,15m,30m,1h,2h,4h,…` for 5 days',
    does: 'Delays between attempts.',
  },
  SWEEP_INTERVAL: {
    ...format.interval,
    setting: 'sweepInterval',
    unset: '`2s`',
    does: 'Interval of sweeps in PostgreSQL for emails that the queue lost.',
  },
  RETENTION_CONTENT: {
    ...format.age,
    setting: 'contentRetention',
    unset: 'kept',
    does: 'Age at which html, text and attachments of a finished email are cleared.',
  },
  RETENTION_EVENTS: {
    ...format.age,
    setting: 'eventRetention',
    unset: 'kept',
    does: 'Age at which events and attempts of a finished email are deleted; `last_event` stays.',
  },
  DRAIN_DELAY: {
    ...format.delay,
    setting: 'drainDelay',
    default: 0,
    unset: 'none',
    does: 'Time for which a stopping process still serves requests while it reports not ready.',
  },
  ADMIN_TOKEN: {
    ...format.adminToken,
    setting: 'adminToken',
    unset: 'none: these paths are 404',
    does: "Opens `/metrics`, `/admin/queues` and the page's health to operators.",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...format.otlpEndpoint,
    setting: 'otlpEndpoint',
    unset: 'no tracing',
    does: 'The collector that gets the traces. OpenTelemetry reads its other variables itself.',
  },
} as const satisfies Readonly<Record<string, EnvironmentRow<unknown>>>;

type Table = typeof ENVIRONMENT;
type ValueOf<Row> = Row extends Variable<infer T> ? T | (Row extends { default: unknown } ? never : undefined) : never;

/** The value of each setting by its variable. */
export type ReadEnvironment = { [Name in keyof Table as Table[Name]['setting']]: ValueOf<Table[Name]> };

/** The same as a list. */
export const ENVIRONMENT_ROWS: readonly [name: string, row: EnvironmentRow<unknown>][] =
  Object.entries<EnvironmentRow<unknown>>(ENVIRONMENT);
