import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { SUBSCRIBE } from '../../shared/events/subscribe.js';
import type { HandedEvent, SubscribedEmail, SubscribedEvent } from '../ports/event-subscription.js';
import type { BounceKind } from '../states/bounce.js';
import type { EmailEventType } from '../states/email-states.js';
import * as sql from './outbox.sql.js';

/** How long an event is put off for that cannot be handed over, at first and at most. Milliseconds. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 3_600_000;
/** Rows of a subscriber that is removed, at a time. */
const DISCARDED = 10_000;
/** Up to which what waits is counted. */
const COUNTED = 100_000;

/** What waits in the outbox. */
export interface WaitingEvent {
  /** Of the row. */
  id: string;
  /** What is put off together; of what is no email, itself. */
  group: string;
  /** Undefined where nobody is to be told any more. */
  handed: HandedEvent | undefined;
}

/** What a subscriber has still to be told. */
export interface OutboxBacklog {
  subscriber: string;
  /** Up to 100,000. */
  count: number;
  /** Of the event that waits for longest, in milliseconds; 0 when none does. */
  oldestAge: number;
}

interface Row {
  id: string;
  eventId: string;
  emailId: string | null;
  accountId: string;
  type: string;
  data: Record<string, unknown> | null;
  occurredAt: Date;
  key: string;
  subscribed: boolean;
  recipient: string | null;
  reason: string | null;
  attempt: number | null;
  bounce: BounceKind | null;
  messageId: string | null;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  createdAt: Date;
  scheduledAt: Date | null;
  tags: { name: string; value: string }[];
  headers: [string, string][];
  topicId: string | null;
}

/** The outbox: what subscribers are still to be told. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction in which nobody else hands over to this subscriber.
   *
   * @param patience milliseconds after which PostgreSQL ends a transaction that does nothing
   * @returns undefined when somebody else does
   */
  async inTurn<T>(
    subscriber: string,
    patience: number,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T | undefined> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(sql.BOUND(patience));
      const [turn]: { mine: boolean }[] = await manager.query(sql.TAKE_TURN, [subscriber]);
      return turn?.mine ? work(manager) : undefined;
    });
  }

  async next(manager: EntityManager, subscriber: string, limit: number): Promise<WaitingEvent[]> {
    const rows: Row[] = await manager.query(sql.NEXT, [subscriber, limit]);
    return rows.map(toWaitingEvent);
  }

  async done(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query(sql.DONE, [ids]);
  }

  async putOff(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query(sql.PUT_OFF, [ids, FIRST_WAIT, LONGEST_WAIT]);
  }

  /** Decides who gets what no subscription was found for when it was recorded. */
  async distribute(limit: number): Promise<void> {
    await this.dataSource.query(sql.DISTRIBUTE, [limit]);
  }

  async subscribeAll(subscriber: string, types: readonly string[] | undefined): Promise<void> {
    await this.dataSource.query(SUBSCRIBE, [subscriber, '', null, types ?? null]);
  }

  /** Whether there may be anything to be told to it, now or soon. */
  async isUsed(subscriber: string): Promise<boolean> {
    const [row]: { used: boolean }[] = await this.dataSource.query(sql.IS_USED, [subscriber]);
    return row?.used ?? false;
  }

  async subscribers(): Promise<string[]> {
    const rows: { subscriber: string }[] = await this.dataSource.query(sql.SUBSCRIBERS);
    return rows.map(({ subscriber }) => subscriber);
  }

  async forget(subscriber: string): Promise<void> {
    await this.dataSource.query(sql.FORGET, [subscriber]);
    for (let left = DISCARDED; left === DISCARDED; ) {
      const [row]: { count: number }[] = await this.dataSource.query(sql.DISCARD, [subscriber, DISCARDED]);
      left = row?.count ?? 0;
    }
  }

  backlog(): Promise<OutboxBacklog[]> {
    return this.dataSource.query(sql.BACKLOG, [COUNTED]);
  }
}

function toWaitingEvent(row: Row): WaitingEvent {
  const event = row.subscribed ? eventOf(row) : undefined;
  return { id: row.id, group: row.emailId ?? row.id, handed: event && { key: row.key, event } };
}

function eventOf(row: Row): SubscribedEvent | undefined {
  const { eventId: id, occurredAt: createdAt, accountId, type, emailId, data } = row;
  if (emailId === null) return data === null ? undefined : { id, createdAt, accountId, type, data };
  const email = emailOf(row);
  if (!email) return undefined;
  const { recipient, reason, attempt, bounce } = row;
  return {
    id,
    createdAt,
    accountId,
    emailId,
    type: type as EmailEventType,
    ...(recipient !== null && { recipient }),
    ...(reason !== null && { reason }),
    ...(attempt !== null && { attempt }),
    ...(bounce !== null && { bounce }),
    email,
  };
}

function emailOf(row: Row): SubscribedEmail | undefined {
  const { messageId, from, to, cc, bcc, replyTo, subject, createdAt, scheduledAt, tags, headers, topicId } = row;
  if (messageId === null) return undefined;
  return {
    messageId,
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    createdAt,
    ...(scheduledAt !== null && { scheduledAt }),
    tags,
    headers,
    ...(topicId !== null && { topicId }),
  };
}
