import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { AccountResolver } from '../shared/callers/account-resolver.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import type { EmailTransport } from './ports/email-transport.js';
import type { EmailsObserver } from './ports/emails-observer.js';
import type { EmailEventListener } from './ports/event-listener.js';
import type { EventSubscription } from './ports/event-subscription.js';
import type { PersonEraser } from './ports/person-eraser.js';
import type { RecipientPolicy } from './ports/recipient-policy.js';
import type { TemplateSource } from './ports/template-source.js';
import type { TopicPolicy } from './ports/topic-policy.js';

/**
 * What `forRoot` and the factory of `forRootAsync` return. Durations are in milliseconds. Numbers are whole, and what is
 * out of its range (`emails.options.check.ts`) stops the start.
 */
export interface EmailsOptions {
  /** Which account a request stands for. Required where the module has routes: there is no safe default. */
  accountResolver?: AccountResolver;

  /** How messages leave. `new SmtpTransport({ url })` is the one that comes with the library. Required. */
  transport: EmailTransport;

  /** Topics and opt-outs. Default: none, and `topic_id` is refused. */
  topicPolicy?: TopicPolicy;

  /**
   * Who may get mail at all, with a topic or without. Asked at delivery, in this order but the suppression list first, and
   * before the topic policy, each about those whom the ones before it allow. Default: none, and nothing is asked.
   */
  recipientPolicies?: readonly RecipientPolicy[];

  /** Who keeps addresses besides, and takes part when a person is erased: contacts, a list of the host's. Default: none. */
  personErasers?: readonly PersonEraser[];

  /** Published templates. Default: none, and `template` is refused. */
  templateSource?: TemplateSource;

  /** Where attachments are kept. Default: the library's own table in PostgreSQL, once per content. */
  attachmentStorage?: AttachmentStorage;

  /** Told of every event after its commit. Default: none. */
  eventListeners?: readonly EmailEventListener[];

  /** Told of every event at least once, in a transaction, by the processes with workers. Default: none. */
  eventSubscriptions?: readonly EventSubscription[];

  /** Told of acceptances and attempts as they happen, for metrics and logs. Default: none. */
  observers?: readonly EmailsObserver[];

  /**
   * Refuses emails without html and text, templates rendered (422 `missing_required_field`). Attachments do not count.
   * Default: false, and such an email is sent empty, with a warning once a minute for each account.
   */
  requireContent?: boolean;

  http?: {
    /**
     * Largest request body in bytes, as it comes. Default: 126,000,000, which lets a file of 25 MB pass whose bytes are
     * written as numbers with a blank behind each comma. What is kept of a body, in which such a file has the bytes that
     * it stands for, may have 1.45 times the bytes of the largest message, and 58,000,000 at least.
     */
    bodyLimit?: number;
    /** Largest message in bytes, after base64. Default: 40,000,000. */
    messageLimit?: number;
  };

  /** Fetching of `attachments[].path`. */
  fetch?: {
    /** Ports that may be asked. Default: 80 and 443. */
    ports?: readonly number[];
    /** The whole fetch, redirects included. Default: 10,000. */
    timeout?: number;
    /** All fetches of one request together, waits for others included. Default: 30,000. */
    requestTimeout?: number;
    /** Hosts (names or addresses) exempt from the address guard, for tests and trusted mirrors. Default: none. */
    allowedHosts?: readonly string[];
  };

  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process: what is derived from them signs
   * links to attachments and shared emails. The first signs, all are recognised: a new one is put in front of the old.
   * Default: none, and no links are made.
   */
  secretKeys?: readonly string[];

  /**
   * Where this application is reached from outside, with the prefix and version that its routes have:
   * `https://mail.example.com/api`. Default: links lead to the address that the process listens on, with a warning at the
   * start; what a request says of it (`Host`) is never taken.
   */
  publicUrl?: string;

  links?: {
    /** How long a link to an attachment lives, from a minute to 7 days. Default: 1 hour. */
    lifetime?: number;
  };

  /**
   * Whether connections to PostgreSQL keep prepared statements. Default: true. False behind a pooler in transaction mode
   * that does not know of them, such as pgbouncer before 1.21.
   */
  preparedStatements?: boolean;

  idempotency?: {
    /** How long a key is kept. Default: 24 hours. */
    retention?: number;
  };

  retention?: {
    /** After which html, text and attachments of a finished email are cleared. Default: kept. */
    content?: number;
    /** After which events and attempts of a finished email are deleted; the record keeps `last_event`. Default: kept. */
    events?: number;
  };

  delivery?: {
    /** Emails one worker process works on at the same time. Default: 200. */
    concurrency?: number;
    /**
     * Of these, emails to one domain, so that a slow one does not hold up the others; fewer while it says that it gets
     * too much. Only where the transport's hop is `final`: a relay has all domains. `SmtpTransport` gives one
     * domain at most half of its connections. Default: 10.
     */
    destinationConcurrency?: number;
    /** Waiting times between attempts of one recipient. Default: 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, then 4 h for 5 days. */
    retrySchedule?: readonly number[];
    /** After an attempt with unknown end: send again (as RFC 5321 asks), or hold for a human. Default: `retry`. */
    onUnknown?: 'retry' | 'hold';
    /** How long a worker owns an email without renewing. At least 1,000. Default: 8,000. */
    lease?: number;
    /** Time between two looks into PostgreSQL for due emails that the queue forgot. Default: 2,000. */
    sweepInterval?: number;
    /** How long a shutdown waits for attempts on the wire. Default: 20,000. */
    shutdownTimeout?: number;
  };
}

/** Decided when the module is composed, before any provider exists. */
export interface EmailsModuleExtras {
  /** Guards of the library's controller, resolved from the module's `imports`. Required where it has routes. */
  guards?: readonly Type<CanActivate>[];

  /** Modules that export what the guards inject. Default: none. */
  imports?: ModuleMetadata['imports'];

  /** What this process does: `api` accepts and lists, `worker` delivers, `all` both. Default: `all`. */
  role?: EmailsRole;

  /** False for `EmailsService` and workers alone, without guards, account resolver and any rule on body parsers. Default: true. */
  routes?: boolean;

  /**
   * Queues among which accounts are divided, when one is not enough. Every process must be given the same number; after
   * a change of it, the sweep moves what waits in the wrong queue. Default: 1.
   */
  queueShards?: number;

  /** Key of the shared BullMQ configuration (`BullModule.forRoot(key, …)`). Default: the unnamed one. */
  queueConfigKey?: string;

  /** Lets every module of the host inject `EmailsService` without importing this one. Default: false. */
  isGlobal?: boolean;

  /** Name of the TypeORM data source. Default: the unnamed one. */
  dataSource?: string;
}

/** What a process does. */
export type EmailsRole = 'all' | 'api' | 'worker';
