import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { LeaseWrite } from '../../../shared/work/lease-write.js';
import { Lookout, type Question } from '../../../shared/work/lookout.js';
import type { ByLane } from '../../states/email-priorities.js';
import { DeliveryEntity } from '../entities/delivery.entity.js';
import * as closing from './close.sql.js';
import * as sql from './delivery.sql.js';
import type {
  EndedMessage,
  EndedOutcome,
  HeldLease,
  InlineLimits,
  Lease,
  LeaseClose,
  LeaseEnd,
  LeaseResult,
  LostMessage,
  NewAttempt,
  PendingEmail,
  SplitEnd,
} from './lease.js';
import { RELEASE_KEPT_FOR_TRANSPORTS } from './pause.sql.js';

export type * from './lease.js';

/** Emails that are due without a lease, including those that wait for a next hop. */
export interface DueEmails {
  /** Counted up to 100,000. */
  count: number;
  /** How long the oldest of them has been due; 0 without any. Milliseconds. */
  oldestAge: number;
  /** Those among them that wait for a next hop. */
  waiting: number;
  /** How long the oldest of those has waited; 0 without any. Milliseconds. */
  oldestWaiting: number;
}

/** How long mail has waited. Milliseconds. */
export interface Lateness {
  /** The oldest email that is due without a lease, those that wait for a next hop included; 0 without any. */
  oldestDue: number;
  /** The oldest that waits for a next hop; null without any. */
  oldestWaiting: number | null;
}

export interface OverdueEmail {
  emailId: string;
  accountId: string;
  fence: number;
  /** In the lane `bulk`. */
  isBulk: boolean;
  /** A `timestamptz` as text. */
  dueAt: string;
  /** Milliseconds; 0 when it is due. */
  delay: number;
}

export interface OverdueEmails {
  emails: OverdueEmail[];
  /** True if an email waits for one of the next hops. */
  anyWaits: boolean;
  /** A `dueAt` before which no email is overdue, except in long transactions. */
  clearTo?: string;
}

export type ReleasedEmail = Pick<OverdueEmail, 'emailId' | 'accountId' | 'fence' | 'isBulk'>;

export interface ReleasedEmails {
  emails: ReleasedEmail[];
  /** True if there may be more. */
  more: boolean;
}

@Injectable()
export class DeliveryRepository {
  /** True if the last look for overdue emails found none. */
  private isIdle = false;

  constructor(@InjectRepository(DeliveryEntity) private readonly deliveries: Repository<DeliveryEntity>) {}

  /**
   * Leases each due email for `duration` milliseconds. One result per id, in order. Html and text beyond the limits are
   * left to `content`: a group of the largest emails would fill gigabytes.
   *
   * @param withTags whether tags are read
   */
  async lease(
    ids: readonly string[],
    duration: number,
    { content, htmlOnly }: InlineLimits,
    withTags: boolean,
  ): Promise<LeaseResult[]> {
    const rows: LeaseRow[] = await this.deliveries.query(sql.LEASE, [ids, duration, content, htmlOnly, withTags]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => toLeaseResult(byId.get(id)));
  }

  /** Html and text of an email. */
  async content(id: string): Promise<Pick<PendingEmail, 'html' | 'text'>> {
    const [row]: Pick<PendingEmail, 'html' | 'text'>[] = await this.deliveries.query(sql.CONTENT, [id]);
    return row ?? { html: null, text: null };
  }

  /**
   * Writes an attempt for each lease that still holds. One answer per lease, in order. False: the lease was lost, or
   * another transaction has a row of the email locked.
   *
   * @param leases each at most once
   */
  openAttempts(leases: readonly NewAttempt[]): Promise<boolean[]> {
    return this.askAboutAttempts(sql.OPEN_ATTEMPTS, leases);
  }

  /**
   * Asks about attempts that are written already. One answer per lease, in order. False: the lease was lost, or the email is
   * paused by now.
   */
  checkAttempts(leases: readonly NewAttempt[]): Promise<boolean[]> {
    return this.askAboutAttempts(sql.CHECK_ATTEMPTS, leases);
  }

  /**
   * Deletes attempts whose messages have not begun. One answer per lease, in order. False: another transaction has its row
   * locked, or it is not open any more.
   */
  async withdrawAttempts(leases: readonly NewAttempt[]): Promise<boolean[]> {
    const values = [...columns(leases), leases.map(({ message = 0 }) => message)];
    return isIn(await this.deliveries.query(sql.WITHDRAW_ATTEMPTS, values), leases);
  }

  private async askAboutAttempts(statement: string, leases: readonly NewAttempt[]): Promise<boolean[]> {
    const values = [
      ...columns(leases),
      leases.map(({ message = 0 }) => message),
      leases.map(({ transport }) => transport),
    ];
    return isIn(await this.deliveries.query(statement, values), leases);
  }

  /** Writes the outcomes of messages whose attempts are still open, so that they outlive this process. Skips locked ones. */
  async noteOutcomes(messages: readonly EndedMessage[]): Promise<void> {
    await this.deliveries.query(closing.NOTE_OUTCOMES, [JSON.stringify(messages)]);
  }

  /** Renews leases for `duration` milliseconds from now. One answer per lease, in order. */
  async extend(leases: readonly HeldLease[], duration: number): Promise<LeaseWrite[]> {
    return toWrites(leases, await this.deliveries.query(sql.EXTEND_LEASES, [...columns(leases), duration]));
  }

  /** The same for one lease; waits for locks. */
  async extendLocked(lease: HeldLease, duration: number): Promise<LeaseWrite> {
    const values = [...columns([lease]), duration];
    const rows: LeaseWriteRow[] = await this.deliveries.query(sql.EXTEND_LOCKED_LEASE, values);
    return toWrite(rows[0]);
  }

  /** Ends leases, each with its attempt, recipients and events. One answer per lease, in order. */
  close(ends: readonly LeaseEnd[]): Promise<LeaseClose[]> {
    return this.end(closing.CLOSE, ends);
  }

  /** The same for one lease; waits for locks. */
  async closeLocked(end: LeaseEnd): Promise<LeaseClose> {
    return ((await this.end(closing.CLOSE_LOCKED, [end])) as [LeaseClose])[0];
  }

  /** Ends leases, each with the attempts of its messages, recipients and events. One answer per lease, in order. */
  closeSplit(ends: readonly SplitEnd[]): Promise<LeaseClose[]> {
    return this.end(closing.CLOSE_SPLIT, ends);
  }

  /** The same for one lease; waits for locks. */
  async closeSplitLocked(end: SplitEnd): Promise<LeaseClose> {
    return ((await this.end(closing.CLOSE_SPLIT_LOCKED, [end])) as [LeaseClose])[0];
  }

  private async end(statement: string, ends: readonly LeaseEnd[]): Promise<LeaseClose[]> {
    const rows: LeaseCloseRow[] = await this.deliveries.query(statement, [JSON.stringify(ends)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ends.map((end) => toClose(end, byId.get(end.id)));
  }

  /**
   * Emails that have been due for longer than the `grace` of their lane, in milliseconds: their wake-up or their worker was
   * lost. Also those that fall due within the next `ahead` milliseconds, so that a lost wake-up does not delay them. The
   * longest overdue come first.
   *
   * @param hops the next hops that emails may wait for (`hopBits`); `anyWaits` is about them
   * @param from `dueAt` to begin at
   */
  async overdue(grace: ByLane, ahead: number, limit: number, hops: bigint, from?: string): Promise<OverdueEmails> {
    const bounds = [grace.now, grace.bulk, ahead, limit, `${hops}`];
    const rows: readonly OverdueRow[] = await this.askFirst(
      from === undefined ? { sql: sql.OVERDUE, values: bounds } : { sql: sql.OVERDUE_FROM, values: [...bounds, from] },
    );
    const emails = rows.flatMap(({ anyWaits: _, clearTo: __, ...email }) =>
      email.emailId === null ? [] : [email as OverdueEmail],
    );
    const [{ anyWaits, clearTo } = { anyWaits: false, clearTo: undefined }] = rows;
    this.isIdle = emails.length === 0 && !anyWaits;
    return { emails, anyWaits, ...(clearTo !== undefined && { clearTo }) };
  }

  /**
   * After a look without results this one may wait and be sent together with other questions: an idle process asks once
   * a second.
   */
  private async askFirst(question: Question): Promise<readonly OverdueRow[]> {
    if (this.isIdle) return Lookout.of(this.deliveries.manager.connection).ask(question);
    return this.deliveries.query(question.sql, [...question.values]);
  }

  /** Makes the oldest emails that wait for one of these next hops (`hopBits`) due now, up to `limit`. */
  async release(hops: bigint, limit: number): Promise<ReleasedEmails> {
    const emails: ReleasedEmail[] = await this.deliveries.query(sql.RELEASE, [`${hops}`, limit]);
    return { emails, more: emails.length === limit };
  }

  /** Makes emails due that are kept for paused transports alone: these may not be the ones of this process. */
  async releaseKeptForTransports(): Promise<void> {
    await this.deliveries.query(RELEASE_KEPT_FOR_TRANSPORTS);
  }

  /** @param limit up to which emails are counted */
  async due(limit: number): Promise<DueEmails> {
    const [row]: DueEmails[] = await this.deliveries.query(sql.DUE, [limit]);
    return row ?? { count: 0, oldestAge: 0, waiting: 0, oldestWaiting: 0 };
  }

  /**
   * How long mail has waited, asked together with other questions.
   *
   * @param hops next hops (`hopBits`)
   */
  async lateness(hops: bigint): Promise<Lateness> {
    const question = { sql: sql.LATENESS, values: [`${hops}`] };
    const [row] = await Lookout.of(this.deliveries.manager.connection).ask<Lateness>(question);
    return row ?? { oldestDue: 0, oldestWaiting: null };
  }

  /** Why emails wait for a next hop: the words of the first of them. */
  async whyWaiting(): Promise<string | null> {
    const [row]: { reason: string | null }[] = await this.deliveries.query(sql.WHY_WAITING);
    return row?.reason ?? null;
  }
}

interface LeaseRow extends PendingEmail, Pick<Lease, 'endUnknown'> {
  fence: number | null;
  /**
   * For each attempt at all recipients in order: milliseconds since its end was found to be lost, or null. Null if there
   * was none.
   */
  lostAttempts: (number | null)[] | null;
  lostMessages: LostMessage[] | null;
  endedOutcomes: EndedOutcome[] | null;
  startedId: string | null;
  startedAt: Date | null;
  wait: number | null;
}

type OverdueRow = { anyWaits: boolean; clearTo: string } & (OverdueEmail | { emailId: null });

interface LeaseWriteRow {
  id: string;
  done: boolean;
  held: boolean;
}

interface LeaseCloseRow extends LeaseWriteRow {
  /** In no order; null without events. */
  events: { id: string; type: string; recipient: string | null; at: number }[] | null;
}

function toLeaseResult(row: LeaseRow | undefined): LeaseResult {
  if (!row) return { kind: 'nothing' };
  if (row.fence !== null) return { kind: 'leased', lease: toLease(row, row.fence) };
  const { wait } = row;
  return wait !== null && wait > 0 ? { kind: 'wait', wait } : { kind: 'nothing' };
}

function toLease(row: LeaseRow, fence: number): Lease {
  const { startedId, startedAt, endUnknown, lostAttempts, lostMessages, endedOutcomes } = row;
  const lostEnds = lostAttempts?.filter((since) => since !== null).length ?? 0;
  return {
    email: row,
    fence,
    started: startedId !== null && startedAt !== null ? { id: startedId, createdAt: startedAt } : null,
    endUnknown: endUnknown && !lostMessages?.some(({ isNew }) => isNew),
    lostEnds: lostEnds + (lostMessages?.length ?? 0),
    sinceLostEnd: lostAttempts?.at(-1) ?? null,
    ...(lostMessages && { lostMessages }),
    ...(endedOutcomes && { endedOutcomes }),
  };
}

function isIn(rows: readonly { id: string }[], leases: readonly HeldLease[]): boolean[] {
  const found = new Set(rows.map(({ id }) => id));
  return leases.map(({ id }) => found.has(id));
}

function columns(leases: readonly HeldLease[]): [string[], number[]] {
  return [leases.map(({ id }) => id), leases.map(({ fence }) => fence)];
}

function toWrites(leases: readonly HeldLease[], rows: readonly LeaseWriteRow[]): LeaseWrite[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return leases.map(({ id }) => toWrite(byId.get(id)));
}

function toWrite(row: LeaseWriteRow | undefined): LeaseWrite {
  if (row?.done) return 'done';
  return row?.held ? 'locked' : 'lost';
}

/** An end has at most one event of a type per recipient, and one for the whole email. */
function toClose(end: LeaseEnd, row: LeaseCloseRow | undefined): LeaseClose {
  const written = toWrite(row);
  if (written !== 'done') return written;
  const keyOf = (type: string, recipient = '') => `${type} ${recipient}`;
  const recorded = new Map(row?.events?.map((event) => [keyOf(event.type, event.recipient ?? ''), event]));
  return end.events.flatMap((event) => {
    const found = recorded.get(keyOf(event.type, event.recipient));
    return found ? [{ ...event, id: found.id, createdAt: new Date(found.at) }] : [];
  });
}
