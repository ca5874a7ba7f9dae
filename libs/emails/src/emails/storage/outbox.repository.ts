import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { SUBSCRIBE } from '../../shared/events/subscribe.js';
import { inTime } from '../../shared/work/in-time.js';
import { Lookout, type Question } from '../../shared/work/lookout.js';
import type { HandedEvent, SubscribedEmail, SubscribedEvent } from '../ports/event-subscription.js';
import type { BounceKind } from '../states/bounce.js';
import type { EmailEventType } from '../states/email-states.js';
import * as sql from './outbox.sql.js';
import { DUE, READY } from './outbox-next.sql.js';

/** How long an event is put off for at first that cannot be handed over. Milliseconds. */
const FIRST_WAIT = 1_000;
/** Rows of a subscriber that is removed, at a time. */
const DISCARDED = 10_000;
/** Up to which what waits is counted. */
const COUNTED = 100_000;

/** Whoever was handed events took longer than he may. */
export class TooSlowError extends Error {
  constructor() {
    super('An event subscription takes too long.');
  }
}

/** What waits in the outbox. */
export interface WaitingEvent {
  /** Of the row. */
  id: string;
  /** Something of its email is put off. */
  behind: boolean;
  /** The transaction in which it was read. */
  xid: string;
  /** Undefined where nobody is to be told any more. */
  handed: HandedEvent | undefined;
}

/** Events of the outbox that are next. */
export interface NextEvents {
  events: WaitingEvent[];
  /** There may be more behind them. */
  more: boolean;
  /** The account after which turns begin next; undefined without events. */
  lastAccount: string | undefined;
}

/** Where looks for a subscriber's events go on. Numbers, times and snapshots as PostgreSQL writes them. */
export interface OutboxPlace {
  /** Of the last look, in which the rest holds; null before the first one. */
  snapshot: string | null;
  readyFrom: string;
  undecidedFrom: string;
  dueFrom: string | null;
}

/** Before all that there is. */
export const FIRST_PLACE: OutboxPlace = { snapshot: null, readyFrom: '0', undecidedFrom: '0', dueFrom: null };

/** Where the next events are looked for. */
export interface NextPlace extends OutboxPlace {
  /** The account that had the last turn; empty before the first turn. */
  lastAccount: string;
}

/** What there is to do for a subscriber. */
export interface Outlook extends OutboxPlace {
  /** It subscribes to something. */
  subscribed: boolean;
  /** Of some events it is to be decided who is told. */
  undecided: boolean;
  ready: boolean;
  /** The time of something has come that was put off. */
  due: boolean;
  /** This database is older than the one of the last look, as after a failover: places mean nothing in it. */
  isOfAnother: boolean;
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
  recorded: boolean;
  behind: boolean;
  xid: string;
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
  /** Rows that were found, of which these are the first. */
  found: number;
}

/** The outbox: what subscribers are still to be told. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction in which nobody else hands over to this subscriber.
   *
   * @param patience milliseconds after which it is ended, whatever it does
   * @returns undefined when somebody else does
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
      // What hangs in the middle of a statement would keep a rollback waiting.
      if (error instanceof TooSlowError) await end(runner);
      else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => end(runner));
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** The next ones, the accounts in turns and those of an account in order, up to about 1 MB; or the next one put off. */
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

  /** @throws Error when the transaction is another one than that in which they were read */
  async done(manager: EntityManager, events: readonly WaitingEvent[]): Promise<void> {
    const [row]: { same: boolean | null }[] = await manager.query(sql.DONE, [idsOf(events), events[0]?.xid]);
    if (!row?.same) throw new Error('An event subscription ended the transaction that it was given.');
  }

  /** Puts events off for as long as those of their emails are that are before them. */
  async putBehind(manager: EntityManager, events: readonly WaitingEvent[]): Promise<void> {
    await manager.query(sql.PUT_BEHIND, [idsOf(events)]);
  }

  /** @param longest milliseconds */
  async putOff({ id }: WaitingEvent, longest: number): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query("SET LOCAL lock_timeout = '2s'");
      await manager.query(sql.PUT_OFF, [id, FIRST_WAIT, longest]);
    });
  }

  /**
   * Decides who gets what no subscription was found for when it was recorded.
   *
   * @param limit events of an account
   * @returns how many events there were
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

  /** What a look asks, for whoever asks several questions at once. Its one row is an `Outlook`. */
  question(subscriber: string, { snapshot, readyFrom, undecidedFrom, dueFrom }: OutboxPlace): Question {
    return { sql: sql.LOOK, values: [subscriber, snapshot, readyFrom, undecidedFrom, dueFrom] };
  }

  /** Asks questions of this database together with those of others. */
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
   * Rewrites what waits and is of no email, where it has a person's address in it.
   *
   * @returns how many of at most `limit` there were
   */
  rewritePerson(
    { accountId, key, before }: { accountId: string; key: string; before: Date },
    limit: number,
    rewrite: (data: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<number> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '15s'`);
      await manager.query(sql.HOLD_UP);
      // From here on every hand-over waits: for a row that somebody has locked it must not wait for long.
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

  /** Resolves when every hand-over that is under way has ended. */
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

/** What is told of an email stands in the first of its rows. */
function toWaitingEvents(rows: readonly Row[]): WaitingEvent[] {
  const emails = new Map<string | null, SubscribedEmail | undefined>();
  return rows.map((row) => {
    const { id, behind, xid, key, subscribed, emailId } = row;
    if (!emails.has(emailId)) emails.set(emailId, emailOf(row));
    const event = subscribed ? eventOf(row, emails.get(emailId)) : undefined;
    return { id, behind, xid, handed: event && { key, event } };
  });
}

/** The account of the last first event of an account. */
function lastToBegin(rows: readonly Row[]): string | undefined {
  return [...new Set(rows.map(({ accountId }) => accountId))].at(-1);
}

function idsOf(events: readonly WaitingEvent[]): string[] {
  return events.map(({ id }) => id);
}

function tooSlow(): never {
  throw new TooSlowError();
}

/** Ends the connection, and with it the transaction. The pool keeps none that was ended. */
async function end(runner: QueryRunner): Promise<void> {
  const connection: { end(): Promise<void> } = await runner.connect();
  // With a statement under way it is cut off.
  connection.end().catch(() => {});
}

function eventOf(row: Row, email: SubscribedEmail | undefined): SubscribedEvent | undefined {
  const { eventId: id, occurredAt: createdAt, accountId, type, emailId, data } = row;
  if (emailId === null) return data === null ? undefined : { id, createdAt, accountId, type, data };
  if (!email || !row.recorded) return undefined;
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
