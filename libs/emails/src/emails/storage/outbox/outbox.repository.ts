import { Inject, Injectable } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { SUBSCRIBE } from '../../../shared/events/subscribe.js';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import { inTime } from '../../../shared/work/in-time.js';
import { Lookout, type Question } from '../../../shared/work/lookout.js';
import type { HandedEvent, SubscribedEmail, SubscribedEvent } from '../../ports/event-subscription.js';
import type { RecordedEventType } from '../../states/email-states.js';
import { reasonText } from '../../states/reason-codes.js';
import type { ReportSource } from '../../states/report-sources.js';
import { EMAILS_DATA_SOURCE } from '../storage.tokens.js';
import * as sql from './outbox.sql.js';
import { DUE, READY } from './outbox-next.sql.js';

/** First delay of an event that could not be handed over. Milliseconds. */
const FIRST_WAIT = 1_000;
/** Limit of rows that are deleted at once for a removed subscriber. */
const DISCARDED = 10_000;
/** Upper limit of the count of waiting events. */
const COUNTED = 100_000;

/** A subscriber took longer than its time limit. */
export class TooSlowError extends Error {
  constructor() {
    super('An event subscription takes too long.');
  }
}

/** A waiting event of the outbox. */
export interface WaitingEvent {
  /** Id of the row. */
  id: string;
  /** True if an event of its email is put off. */
  behind: boolean;
  /** The transaction in which it was read. */
  xid: string;
  /** Undefined when there is no subscription or event any more. */
  handed: HandedEvent | undefined;
}

/** The next events of the outbox. */
export interface NextEvents {
  events: WaitingEvent[];
  /** True if there may be more. */
  more: boolean;
  /** The account after which turns begin next; undefined without events. */
  lastAccount: string | undefined;
}

/** Where the next look for a subscriber's events begins. Numbers, times and snapshots in PostgreSQL's text form. */
export interface OutboxPlace {
  /** Snapshot of the last look, in which the other values hold; null before the first one. */
  snapshot: string | null;
  readyFrom: string;
  undecidedFrom: string;
  dueFrom: string | null;
}

/** A place before all events. */
export const FIRST_PLACE: OutboxPlace = { snapshot: null, readyFrom: '0', undecidedFrom: '0', dueFrom: null };

/** Place at which the next events are searched. */
export interface NextPlace extends OutboxPlace {
  /** The account that had the last turn; empty before the first turn. */
  lastAccount: string;
}

/** The pending work of a subscriber. */
export interface Outlook extends OutboxPlace {
  /** True if it has a subscription. */
  subscribed: boolean;
  /** True if some events have undecided subscribers. */
  undecided: boolean;
  ready: boolean;
  /** True if the time of a delayed event has come. */
  due: boolean;
  /**
   * True if this database is older than the one of the last look, as after a failover: places are meaningless in it.
   */
  isOfAnother: boolean;
}

/** Pending events of a subscriber. */
export interface OutboxBacklog {
  subscriber: string;
  /** Counted up to 100,000. */
  count: number;
  /** Age of the oldest waiting event, in milliseconds; 0 without any. */
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
  recorded: boolean;
  behind: boolean;
  xid: string;
  recipient: string | null;
  reason: string | null;
  reasonCode: string | null;
  source: ReportSource | null;
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
  /** Number of rows that were found; these are the first of them. */
  found: number;
}

/** The outbox: pending events of subscribers. */
@Injectable()
export class OutboxRepository {
  constructor(@Inject(EMAILS_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction that is the only one to hand over to this subscriber.
   *
   * @param patience time limit after which the transaction ends in any case, in milliseconds
   * @returns undefined when another process hands over
   * @throws TooSlowError
   */
  async inTurn<T>(
    subscriber: string,
    patience: number,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T | undefined> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction('READ COMMITTED');
      await runner.query(sql.BOUND(patience));
      const [turn]: { mine: boolean }[] = await runner.query(sql.TAKE_TURN, [subscriber]);
      const result = turn?.mine ? await inTime(work(runner.manager), patience, tooSlow) : undefined;
      await runner.commitTransaction();
      return result;
    } catch (error) {
      // A hanging statement would delay a rollback.
      if (error instanceof TooSlowError) await end(runner);
      else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => end(runner));
      throw error;
    } finally {
      await runner.release();
    }
  }

  /**
   * The next events up to about 1 MB: accounts in turns, events of an account in order. Or the next event that was put
   * off.
   */
  async next(
    manager: EntityManager,
    subscriber: string,
    of: 'ready' | 'due',
    limit: number,
    { snapshot, readyFrom, undecidedFrom, dueFrom, lastAccount }: NextPlace,
  ): Promise<NextEvents> {
    const rows: Row[] =
      of === 'ready'
        ? await manager.query(READY, [subscriber, snapshot, readyFrom, undecidedFrom, limit, lastAccount])
        : await manager.query(DUE, [subscriber, limit, dueFrom]);
    const found = rows[0]?.found ?? 0;
    return {
      events: toWaitingEvents(rows),
      more: found === limit || found > rows.length,
      lastAccount: lastToBegin(rows),
    };
  }

  /** @throws Error when the transaction is not the one in which they were read */
  async done(manager: EntityManager, events: readonly WaitingEvent[]): Promise<void> {
    const [row]: { same: boolean | null }[] = await manager.query(sql.DONE, [idsOf(events), events[0]?.xid]);
    if (!row?.same) throw new Error('An event subscription ended the transaction that it was given.');
  }

  /** Puts events off until the earlier events of their emails that are put off. */
  async putBehind(manager: EntityManager, events: readonly WaitingEvent[]): Promise<void> {
    await manager.query(sql.PUT_BEHIND, [idsOf(events)]);
  }

  /** @param longest limit of the delay, in milliseconds */
  async putOff({ id }: WaitingEvent, longest: number): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query("SET LOCAL lock_timeout = '2s'");
      await manager.query(sql.PUT_OFF, [id, FIRST_WAIT, longest]);
    });
  }

  /**
   * Decides the subscribers of events for which that was not possible when they were recorded.
   *
   * @param limit events per account
   * @returns number of decided events
   */
  async distribute(limit: number, { undecidedFrom }: OutboxPlace): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(sql.DISTRIBUTE, [limit, undecidedFrom]);
    return row?.count ?? 0;
  }

  async look(subscriber: string, place: OutboxPlace): Promise<Outlook> {
    const question = this.question(subscriber, place);
    const [outlook]: Outlook[] = await this.dataSource.query(question.sql, [...question.values]);
    return outlook as Outlook;
  }

  /** The question of a look, to be sent together with others. Its single row is an `Outlook`. */
  question(subscriber: string, { snapshot, readyFrom, undecidedFrom, dueFrom }: OutboxPlace): Question {
    return { sql: sql.LOOK, values: [subscriber, snapshot, readyFrom, undecidedFrom, dueFrom] };
  }

  /** Combines questions to this database with those of other parts. */
  get lookout(): Lookout {
    return Lookout.of(this.dataSource);
  }

  async subscribeAll(subscriber: string, types: readonly string[] | undefined): Promise<void> {
    await this.dataSource.query(SUBSCRIBE, [subscriber, '', null, types ?? null]);
  }

  async subscribers(): Promise<string[]> {
    const rows: { subscriber: string }[] = await this.dataSource.query(sql.SUBSCRIBERS);
    return rows.map(({ subscriber }) => subscriber);
  }

  async forget(subscriber: string): Promise<void> {
    await this.dataSource.query(sql.FORGET, [subscriber]);
    for (let left = 1; left > 0; ) {
      const [row]: { count: number }[] = await this.dataSource.query(sql.DISCARD, [subscriber, DISCARDED]);
      left = row?.count ?? 0;
    }
  }

  /**
   * Rewrites waiting events that contain a person's address and belong to no email.
   *
   * @returns number of rewritten events, up to `limit`
   */
  rewritePerson(
    { accountId, key, before }: { accountId: string; key: string; before: Date },
    limit: number,
    rewrite: (data: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<number> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '15s'`);
      await manager.query(sql.HOLD_UP);
      // From here on every hand-over waits, so this must not wait long for a locked row.
      await manager.query(`SET LOCAL lock_timeout = '500ms'`);
      const found: { id: string; data: Record<string, unknown> }[] = await manager.query(sql.FIND_PERSON, [
        accountId,
        key,
        before,
        limit,
      ]);
      const rows = found.map(({ id, data }) => ({ id, data: rewrite(data) }));
      if (rows.length > 0) await manager.query(sql.REWRITE, [JSON.stringify(rows)]);
      return rows.length;
    });
  }

  /** Resolves when every running hand-over has ended. */
  async awaitHandovers(): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '15s'`);
      await manager.query(sql.HOLD_UP);
    });
  }

  backlog(): Promise<OutboxBacklog[]> {
    return this.dataSource.query(sql.BACKLOG, [COUNTED]);
  }
}

/** The data of an email is in the first of its rows. */
function toWaitingEvents(rows: readonly Row[]): WaitingEvent[] {
  const emails = new Map<string | null, SubscribedEmail | undefined>();
  return rows.map((row) => {
    const { id, behind, xid, key, subscribed, emailId } = row;
    if (!emails.has(emailId)) emails.set(emailId, emailOf(row));
    const event = subscribed ? eventOf(row, emails.get(emailId)) : undefined;
    return { id, behind, xid, handed: event && { key, event } };
  });
}

/** The account whose first event comes last among the accounts' first events. */
function lastToBegin(rows: readonly Row[]): string | undefined {
  return [...new Set(rows.map(({ accountId }) => accountId))].at(-1);
}

function idsOf(events: readonly WaitingEvent[]): string[] {
  return events.map(({ id }) => id);
}

function tooSlow(): never {
  throw new TooSlowError();
}

/** Ends the connection, and with it the transaction. The pool drops an ended connection. */
async function end(runner: QueryRunner): Promise<void> {
  const connection: { end(): Promise<void> } = await runner.connect();
  // Cuts off a running statement.
  connection.end().catch(() => {});
}

function eventOf(row: Row, email: SubscribedEmail | undefined): SubscribedEvent | undefined {
  const { eventId: id, occurredAt: createdAt, accountId, type, emailId, data } = row;
  if (emailId === null) return data === null ? undefined : { id, createdAt, accountId, type, data };
  if (!email || !row.recorded) return undefined;
  const { recipient, reasonCode, attempt, bounce, source } = row;
  const reason = reasonText(reasonCode, row.reason, source);
  return {
    id,
    createdAt,
    accountId,
    emailId,
    type: type as RecordedEventType,
    ...(recipient !== null && { recipient }),
    ...(reason !== null && { reason }),
    ...(reasonCode !== null && { reasonCode }),
    ...(attempt !== null && { attempt }),
    ...(bounce !== null && { bounce }),
    ...(source !== null && { source }),
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
