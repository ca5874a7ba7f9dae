import type { EntityManager } from 'typeorm';
import type { ReportSource } from '../states/report-sources.js';
import type { EmailEvent } from './event-listener.js';

/** An accepted email without its content. */
export interface SubscribedEmail {
  /** With the angle brackets. */
  messageId: string;
  /** As given, with the name. */
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  subject: string;
  /** Time of its acceptance. */
  createdAt: Date;
  /** Absent for an email without a scheduled time. */
  scheduledAt?: Date;
  tags: readonly { name: string; value: string }[];
  /** The given headers, each a name and a value; none of a sensitive email. */
  headers: readonly (readonly [name: string, value: string])[];
  topicId?: string;
}

/** An event of an email, and the email. */
export interface SubscribedEmailEvent extends EmailEvent {
  email: SubscribedEmail;
  /** The source of a later report, as it was given to `EmailsService.report`; absent for everything else. */
  source?: ReportSource;
}

/** An event of an account that is not about an email, such as `contact.created`. */
export interface SubscribedRecordEvent {
  /** Unique id of the event among all kinds. */
  id: string;
  createdAt: Date;
  accountId: string;
  type: string;
  /** The subject of the event, as it was at that time. */
  data: Readonly<Record<string, unknown>>;
}

/** `'email' in event` distinguishes the two. */
export type SubscribedEvent = SubscribedEmailEvent | SubscribedRecordEvent;

/** An event for a subscription. */
export interface HandedEvent {
  /** Key of the subscription, see `subscribe`; empty for a subscription to all accounts. */
  key: string;
  event: SubscribedEvent;
}

/**
 * Receives every event at least once, also when the process dies or the subscriber is away: the outbox is written in
 * the transaction of the event. In PostgreSQL, from the first start with the subscription on; nothing is written
 * without one. Events that retention deletes before their hand-over are lost.
 */
export interface EventSubscription {
  /** `^[a-z][a-z0-9-]{0,62}$`. Events wait under this name: keep it. */
  readonly name: string;

  /** Types of events: `delivered`, `contact.created`. Default: all. */
  readonly types?: readonly string[];

  /** `all` accounts, or those `chosen` with `subscribe`. Default: all. */
  readonly accounts?: 'all' | 'chosen';

  /**
   * Called with 1 to 500 events of about 1 MB at most, by one process at a time. Events of an email arrive in order,
   * those of an account roughly in order. Accounts take turns: an account with a backlog does not hold up the others.
   *
   * @param manager of the transaction in which the events are marked as done: rows written with it exist exactly once
   * @throws any error: everything is rolled back and tried again. After repeated failures the events of that email wait
   * longer each time, up to an hour, and do not delay other emails. Time limit: 60 seconds.
   */
  handle(events: readonly HandedEvent[], manager: EntityManager): Promise<void>;

  /** Called after the transaction of `handle` is committed, unless the process died in between. */
  committed?(): void;
}
