import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver } from '../shared/callers/account-resolver.js';
import type { DomainDirectory } from '../shared/domains/domain-directory.js';
import type { Role } from '../shared/features/feature.options.js';
import type { EmailsFeature } from './features/emails-feature.js';
import type { AlarmSource, OnAlarm } from './ports/alarm-source.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import type { ContentOwner } from './ports/content-owner.js';
import type { EmailTransport } from './ports/email-transport.js';
import type { EmailsObserver } from './ports/emails-observer.js';
import type { EmailEventListener } from './ports/event-listener.js';
import type { EventSubscription } from './ports/event-subscription.js';
import type { HealthCheck } from './ports/health-check.js';
import type { MessageSigner } from './ports/message-signer.js';
import type { MessageStage } from './ports/message-stage.js';
import type { MetricsSource } from './ports/metrics-source.js';
import type { NamedTransport } from './ports/named-transport.js';
import type { PersonEraser } from './ports/person-eraser.js';
import type { QuotaOptions } from './ports/quota.options.js';
import type { RecipientPolicy } from './ports/recipient-policy.js';
import type { RecipientsPerMessage } from './ports/recipients-per-message.js';
import type { RouteChooser } from './ports/route-chooser.js';
import type { SenderPolicy } from './ports/sender-policy.js';
import type { TemplateSource } from './ports/template-source.js';
import type { TopicPolicy } from './ports/topic-policy.js';
import type { UnsubscribeLinks } from './ports/unsubscribe-links.js';
import type { UnsubscribeMailbox } from './ports/unsubscribe-mailbox.js';
import type { StagingOptions } from './staging/staging.options.js';

/**
 * Options of `forRoot` and of `forRootAsync`'s factory. Durations are in milliseconds. Numbers are integers; a value
 * out of its range (`emails.options.check.ts`) stops the start.
 */
export interface EmailsOptions {
  /** Finds the account of a request. Required with routes, unless a feature brings one: there is no safe default. */
  accountResolver?: AccountResolver;

  /** Sends messages. `new SmtpTransport({ url })` comes with the library. This or `transports` is required. */
  transport?: EmailTransport;

  /**
   * Several transports, up to 32, in place of `transport`. An email moves to another one at once when an attempt ended
   * before a transport said anything about its recipients or its content, and nothing was sent for certain: no connection, no
   * TLS, a refused login, 421 or 4yz up to MAIL, a limit of the sender up to RCPT. In a process without workers only their
   * names count.
   */
  transports?: readonly NamedTransport[];

  /**
   * Chooses the transports that may take an email, instead of their rules (`for`), and may bring an account's own one.
   * Default: none.
   */
  routeChooser?: RouteChooser;

  /** Topics and opt-outs. Default: none, and `topic_id` is refused. */
  topicPolicy?: TopicPolicy;

  /**
   * Decide which recipients may get mail at all, with or without a topic. Asked at delivery, the suppression list
   * first, then the others in this order, and before the topic policy. Each is asked about the recipients that the ones
   * before it allow. Default: none.
   */
  recipientPolicies?: readonly RecipientPolicy[];

  /**
   * Rules about senders and their addresses. Asked in this order, at acceptance, and again at delivery after more than
   * an hour; the first refusal counts. Default: none.
   */
  senderPolicies?: readonly SenderPolicy[];

  /**
   * Steps that put headers in front of a message, or change its envelope sender, once for each attempt. Applied in this
   * order, a signature last. Default: none, and the message is sent as it was built.
   */
  messageStages?: readonly MessageStage[];

  /**
   * Say which messages will have a DKIM signature: only those offer one-click unsubscribe. One that signs is enough.
   * Default: none.
   */
  messageSigners?: readonly MessageSigner[];

  /**
   * `relay`: the next hop signs every message, with `List-Unsubscribe` and `List-Unsubscribe-Post` among the signed
   * fields. Default: a message is signed if one of `messageSigners` says so.
   */
  dkim?: 'relay';

  /**
   * Recipients of one message. `all`: one message for all recipients of an email. 1: a message of its own for each of them,
   * sent one after the other, so that its headers, links and return path can be about that recipient. `topics`: 1 for
   * emails with a topic, `all` for others. Default: `all`.
   */
  recipientsPerMessage?: RecipientsPerMessage;

  /**
   * Knows the accounts' domains: API keys can be bound to one, and its mail can have a return path below it. Default: none.
   */
  domainDirectory?: DomainDirectory;

  /** Modules that refer to contents of the library's attachment storage, so that these are kept. Default: none. */
  contentOwners?: readonly ContentOwner[];

  /** Modules that store addresses elsewhere and take part in erasures: contacts, a list of the host. Default: none. */
  personErasers?: readonly PersonEraser[];

  /** Published templates. Default: none, and `template` is refused. */
  templateSource?: TemplateSource;

  /**
   * Links by which a recipient opts out of a topic. An email with a topic and one recipient gets `List-Unsubscribe`, and
   * the link in place of `{{{RESEND_UNSUBSCRIBE_URL}}}` and `{{{UNSUBSCRIBE_URL}}}`. Default: none, and the placeholders
   * are refused.
   */
  unsubscribeLinks?: UnsubscribeLinks;

  /** Receives mails that unsubscribe. Default: none, and `List-Unsubscribe` has the link alone. */
  unsubscribeMailbox?: UnsubscribeMailbox;

  /** Stores attachments. Default: the library's own table in PostgreSQL, once per content. */
  attachmentStorage?: AttachmentStorage;

  /** Notified of every event after its commit. Default: none. */
  eventListeners?: readonly EmailEventListener[];

  /** Notified of every event at least once, in a transaction, by the processes with workers. Default: none. */
  eventSubscriptions?: readonly EventSubscription[];

  /** Notified of acceptances and attempts as they happen, for metrics and logs. Default: none. */
  observers?: readonly EmailsObserver[];

  /** Asked by `EmailsHealthIndicator` in addition to the backlog. Default: none. */
  healthChecks?: readonly HealthCheck[];

  /** Read by `FeatureMetrics`. Default: none. */
  metrics?: readonly MetricsSource[];

  /**
   * Called when an alarm begins and when it ends (`ALARM_CODES`), by a process with workers. Give it to every process: the
   * others note what begins and ends. Default: none, and nothing is looked for.
   */
  onAlarm?: OnAlarm;

  /** Alarms of the application, found by looking. Default: none. */
  alarmSources?: readonly AlarmSource[];

  /**
   * Refuses emails without html and text, templates rendered (422 `missing_required_field`). Attachments do not count.
   * Default: false, and such an email is sent empty, with a warning once a minute for each account.
   */
  requireContent?: boolean;

  /**
   * Finds emails by words of their subject and mailboxes: `GET /emails?search=`. An email has up to 32 rows for them,
   * and is found by them if it was accepted while this was on. Default: true. False: `search` is refused, and such rows
   * are not written.
   */
  search?: boolean;

  /**
   * Recipients that an account may send to in a day or a month, in UTC: `{ perDay: 1_000 }`, or functions of the account.
   * Counted when emails are accepted, once a second: what is accepted within one second may exceed a quota. Beyond it,
   * 429 `daily_quota_exceeded` or `monthly_quota_exceeded`. An email that is canceled stays counted. Default: none, and
   * nothing is counted.
   */
  quota?: QuotaOptions;

  http?: {
    /**
     * Limit of a request body as it arrives, in bytes. Default: 126,000,000, enough for a file of 25 MB as numbers with
     * a blank after each comma. The body in memory, where such a file has its real size, is limited to 1.45 times the
     * message limit, and at least 58,000,000.
     */
    bodyLimit?: number;
    /** Limit of a message after base64, in bytes. Default: 40,000,000. */
    messageLimit?: number;
  };

  /** Fetching of `attachments[].path`. */
  fetch?: {
    /** Allowed ports. Default: 80 and 443. */
    ports?: readonly number[];
    /** Time limit of a fetch, redirects included. Default: 10,000. */
    timeout?: number;
    /** Time limit of all fetches of a request together, waits included. Default: 30,000. */
    requestTimeout?: number;
    /** Hosts (names or addresses) exempt from the address guard, for tests and trusted mirrors. Default: none. */
    allowedHosts?: readonly string[];
  };

  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them sign
   * links to attachments and shared emails. The first secret signs; all are accepted, so a new one is put in front of
   * the old. Default: none, and links are refused.
   */
  secretKeys?: readonly string[];

  /**
   * Public address of this application, with the prefix and version of its routes: `https://mail.example.com/api`.
   * Default: links lead to the address on which the process listens, with a warning at the start. The `Host` of a
   * request is never used.
   */
  publicUrl?: string;

  links?: {
    /** Lifetime of a link to an attachment, from a minute to 7 days. Default: 1 hour. */
    lifetime?: number;
  };

  /**
   * True if connections to PostgreSQL keep prepared statements. Default: true. False behind a pooler in transaction
   * mode without support for them, such as pgbouncer before 1.21.
   */
  preparedStatements?: boolean;

  idempotency?: {
    /** How long a key is stored. Default: 24 hours. */
    retention?: number;
  };

  retention?: {
    /** Time after which html, text and attachments of a finished email are cleared. Default: never. */
    content?: number;
    /**
     * Time after which events and attempts of a finished email are deleted; the record keeps `last_event`. Default:
     * never.
     */
    events?: number;
  };

  delivery?: StagingOptions & {
    /** Limit of simultaneous emails per worker process. Default: 200. */
    concurrency?: number;
    /**
     * Share of an account while emails of others wait too, relative to them: an account with 2 gets twice as many turns.
     * Called often, so it must be quick. Between 0.001 and 1,000. Default: 1 for each.
     */
    accountWeight?: (accountId: string) => number;
    /**
     * Limit of simultaneous emails to one domain, so that a slow one does not delay the others; lowered while the
     * domain reports overload. Only if the transport's hop is `final`: a relay handles all domains. `SmtpTransport`
     * gives one domain at most half of its connections. Default: 10.
     */
    destinationConcurrency?: number;
    /**
     * Waits between attempts of one recipient. Default: 1 min, 5 min, 15 min, 30 min, 1 h, 2 h, then 4 h for 5 days.
     */
    retrySchedule?: readonly number[];
    /** After an attempt with unknown end: send again (as RFC 5321 asks), or hold for a human. Default: `retry`. */
    onUnknown?: 'retry' | 'hold';
    /** How long a worker holds an email without renewing its lease. At least 1,000. Default: 8,000. */
    lease?: number;
    /** Time between two searches in PostgreSQL for due emails that the queue lost. Default: 2,000. */
    sweepInterval?: number;
    /** Time limit of a shutdown for attempts on the wire, and for queues that do not answer. Default: 20,000. */
    shutdownTimeout?: number;
  };
}

/** Options that are needed when the module is composed, before any provider exists. */
export interface EmailsModuleExtras {
  /** Features in addition to emails: `[access(), audience(), templates(), webhooks()]`. Default: none. */
  features?: readonly EmailsFeature[];

  /**
   * Guards of all routes, after those of features, resolved from `imports`. Required with routes, unless a feature
   * brings a guard.
   */
  guards?: readonly Type<CanActivate>[];

  /** Modules that export the dependencies of guards and of option factories. Default: none. */
  imports?: ModuleMetadata['imports'];

  /** The role of this process: `api` accepts and lists, `worker` delivers, `all` both. Default: `all`. */
  role?: EmailsRole;

  /**
   * False for `EmailsService` and workers alone, without guards, account resolver and rules on body parsers. Default:
   * true.
   */
  routes?: boolean;

  /**
   * Number of queues among which accounts are divided, if one is not enough. Every process must have the same number;
   * after a change, the sweep moves jobs from the wrong queues. Default: 1.
   */
  queueShards?: number;

  /** Key of the shared BullMQ configuration (`BullModule.forRoot(key, …)`). Default: the unnamed one. */
  queueConfigKey?: string;

  /**
   * Lets every module of the host inject `EmailsService` and the exports of features without importing this one.
   * Default: false.
   */
  isGlobal?: boolean;

  /** Name of the TypeORM data source. Default: the unnamed one. */
  dataSource?: string;
}

/** The role of a process. */
export type EmailsRole = Role;
