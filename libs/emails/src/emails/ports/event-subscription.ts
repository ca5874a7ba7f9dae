import type { EntityManager } from 'typeorm';
import type { EmailEvent } from './event-listener.js';

/** An email as it was accepted, without its content. */
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
  /** When it was accepted. */
  createdAt: Date;
  /** Absent unless it was accepted with a time. */
  scheduledAt?: Date;
  tags: readonly { name: string; value: string }[];
  /** Those that were given, each a name and a value. */
  headers: readonly (readonly [name: string, value: string])[];
  topicId?: string;
}

/** An event of an email, and the email. */
export interface SubscribedEmailEvent extends EmailEvent {
  email: SubscribedEmail;
}

/** Something of an account that is no email, such as `contact.created`. */
export interface SubscribedRecordEvent {
  /** Names this event and no other, of emails or not. */
  id: string;
  createdAt: Date;
  accountId: string;
  type: string;
  /** What it is about, as it was right then. */
  data: Readonly<Record<string, unknown>>;
}

/** `'email' in event` tells one from the other. */
export type SubscribedEvent = SubscribedEmailEvent | SubscribedRecordEvent;

/** An event for a subscription. */
export interface HandedEvent {
  /** That of the subscription, see `subscribe`; empty where a subscriber has one for all accounts. */
  key: string;
  event: SubscribedEvent;
}

/**
 * Told of every event at least once, also when the process dies or the subscriber is away: what is to be told is written in
 * the transaction of the event. In PostgreSQL, from the first start with it on; nothing is written where nobody subscribes.
 * What retention deletes before it could be told is not told.
 */
export interface EventSubscription {
  /** `^[a-z][a-z0-9-]{0,62}$`. What is to be told waits under this name: keep it. */
  readonly name: string;

  /** Types of events: `delivered`, `contact.created`. Default: all. */
  readonly types?: readonly string[];

  /** `all` accounts, or those that were `chosen` by `subscribe`. Default: all. */
  readonly accounts?: 'all' | 'chosen';

  /**
   * Called with 1 to 500 events of about 1 MB at most, by one process at a time. Events of an email come in their order,
   * those of an account about in their order. Accounts take turns: an account with a backlog does not hold up the others.
   *
   * @param manager of the transaction in which the events are marked as told: what is written by it is there exactly once
   * @throws what it likes: everything is rolled back and tried again. Events of an email for which it keeps failing wait
   *   longer and longer, up to an hour, and hold up no other email. Takes at most 60 seconds.
   */
  handle(events: readonly HandedEvent[], manager: EntityManager): Promise<void>;

  /** Called when the transaction of `handle` is committed; not after a process that died in between. */
  committed?(): void;
}
