import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import { Lookout, type Question } from '../../shared/work/lookout.js';
import type { RecipientOutcome } from '../ports/email-transport.js';
import type { BounceKind } from '../states/bounce.js';
import type { MovedBy } from '../states/email-states.js';
import type { RecipientState } from '../states/recipient-state.js';
import * as sql from './delivery.sql.js';
import type { NewAttachment } from './email.repository.js';

/** What a worker needs of an email to send it. */
export interface OwedEmail {
  id: string;
  accountId: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string[];
  subject: string;
  /** Like `text`, null also when `contentSize` is more than was asked for. */
  html: string | null;
  text: string | null;
  /** Bytes of html and text. */
  contentSize: number;
  headers: [string, string][];
  topicId: string | null;
  /** The scheduled time, but not before the time of acceptance: the message's `Date`, the same on every attempt. */
  date: Date;
  attachments: NewAttachment[];
  recipients: RecipientState[];
  /** Since it was due first. Milliseconds, by the clock of PostgreSQL. */
  age: number;
  /** Since it fell due, wherever it waited for a next hop meanwhile. Milliseconds, by the same clock. */
  dueFor: number;
  /** Attempts that ended before this lease, those included whose end nobody saw. */
  attempts: number;
}

export interface Lease {
  email: OwedEmail;
  /** Every write under this lease carries it. */
  fence: number;
  /** The event that this lease moved the email from `scheduled` to `queued`, if it did. */
  started: { id: string; createdAt: Date } | null;
  /** True when an earlier worker died in the middle of an attempt: nobody knows whether a copy was sent. */
  endUnknown: boolean;
  /** Attempts of this email that began and whose end nobody saw, the one included that `endUnknown` tells of. */
  lostEnds: number;
  /** Milliseconds since the end of the latest attempt was found to be lost; null when it was seen. */
  sinceLostEnd: number | null;
}

/** `wait`: milliseconds until the email is due. `nothing`: finished, unknown, or in somebody's hands. */
export type LeaseResult = { kind: 'leased'; lease: Lease } | { kind: 'wait'; wait: number } | { kind: 'nothing' };

export interface HeldLease {
  id: string;
  fence: number;
}

/** How a lease ends. */
export interface LeaseEnd extends HeldLease {
  recipients: readonly RecipientState[];
  lastEvent: MovedBy<'deliver'>;
  attempts: number;
  /** Milliseconds until the next attempt; null when nothing is owed any more. */
  retryIn: number | null;
  /** Null when no attempt was made. */
  outcomes: readonly RecipientOutcome[] | null;
  endUnknown: boolean;
  events: readonly NewEvent[];
  /** The next hop that is down: when it is back, the email is due at once. */
  waitsFor?: string;
  /** Since it fell due, where it waits. Milliseconds. */
  dueFor?: number;
}

/** An event to be recorded. */
export interface NewEvent {
  type: MovedBy<'deliver'>;
  /** Absent when it is about the whole email. */
  recipient?: string;
  reason?: string;
  /** The number of the attempt that brought it, from 1. */
  attempt?: number;
  /** Of a bounce. */
  bounce?: BounceKind;
}

/** An event as it was recorded. */
export type RecordedEvent = NewEvent & { id: string; createdAt: Date };

/** The same of a lease that ends: its events where they are recorded. */
export type LeaseClose = readonly RecordedEvent[] | Exclude<LeaseWrite, 'done'>;

/** Emails that are due and in nobody's hands, those that wait for a next hop included. */
export interface DueEmails {
  /** Counted up to 100,000. */
  count: number;
  /** How long the oldest of them has been due; 0 when there is none. Milliseconds. */
  oldestAge: number;
}

export interface OverdueEmail {
  emailId: string;
  accountId: string;
  fence: number;
  /** A `timestamptz` as text. */
  dueAt: string;
  /** Milliseconds; 0 when it is due. */
  delay: number;
}

export interface OverdueEmails {
  emails: OverdueEmail[];
  /** Whether an email waits for the next hop. */
  anyWaits: boolean;
  /** A `dueAt` before which no email is overdue, but for one whose transaction takes long. */
  clearTo?: string;
}

export type ReleasedEmail = Pick<OverdueEmail, 'emailId' | 'accountId' | 'fence'>;

export interface ReleasedEmails {
  emails: ReleasedEmail[];
  /** Whether there may be more. */
  more: boolean;
}

@Injectable()
export class DeliveryRepository {
  /** Whether the last look for overdue emails found none. */
  private isIdle = false;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Leases each email that is due, for `duration` milliseconds. One result per id, in order. Html and text of more than
   * `inlineBytes` are left for `content`: a group of the largest emails would fill gigabytes.
   */
  async lease(ids: readonly string[], duration: number, inlineBytes: number): Promise<LeaseResult[]> {
    const rows: LeaseRow[] = await this.dataSource.query(sql.LEASE, [ids, duration, inlineBytes]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => toLeaseResult(byId.get(id)));
  }

  /** Html and text of an email. */
  async content(id: string): Promise<Pick<OwedEmail, 'html' | 'text'>> {
    const [row]: Pick<OwedEmail, 'html' | 'text'>[] = await this.dataSource.query(sql.CONTENT, [id]);
    return row ?? { html: null, text: null };
  }

  /**
   * Writes an attempt for each lease that still holds. One answer per lease, in order: false means that it was lost, or
   * that somebody has a row of this email locked.
   */
  async openAttempts(leases: readonly HeldLease[]): Promise<boolean[]> {
    const rows: { id: string }[] = await this.dataSource.query(sql.OPEN_ATTEMPTS, columns(leases));
    const opened = new Set(rows.map(({ id }) => id));
    return leases.map(({ id }) => opened.has(id));
  }

  /** Renews leases for `duration` milliseconds from now. One answer per lease, in order. */
  async extend(leases: readonly HeldLease[], duration: number): Promise<LeaseWrite[]> {
    return toWrites(leases, await this.dataSource.query(sql.EXTEND_LEASES, [...columns(leases), duration]));
  }

  /** The same for one lease, and waits until nobody has it locked. */
  async extendLocked(lease: HeldLease, duration: number): Promise<LeaseWrite> {
    const values = [...columns([lease]), duration];
    return toWrite((await this.dataSource.query<LeaseWriteRow[]>(sql.EXTEND_LOCKED_LEASE, values))[0]);
  }

  /** Ends leases, each with its attempt, recipients and events. One answer per lease, in order. */
  async close(ends: readonly LeaseEnd[]): Promise<LeaseClose[]> {
    const rows: LeaseCloseRow[] = await this.dataSource.query(sql.CLOSE, [JSON.stringify(ends)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ends.map((end) => toClose(end, byId.get(end.id)));
  }

  /** The same for one lease, and waits until nobody has a row of the email locked. */
  async closeLocked(end: LeaseEnd): Promise<LeaseClose> {
    const values = [JSON.stringify([end])];
    return toClose(end, (await this.dataSource.query<LeaseCloseRow[]>(sql.CLOSE_LOCKED, values))[0]);
  }

  /**
   * Emails due for longer than `grace` milliseconds: their wake-up, or the worker that had them, was lost. And those that
   * fall due within the next `ahead` milliseconds, so that a lost wake-up does not make them late. The longest due first.
   *
   * @param nextHop of which is said whether any email waits for it
   * @param from `dueAt` to begin at
   */
  async overdue(grace: number, ahead: number, limit: number, nextHop: string, from?: string): Promise<OverdueEmails> {
    const bounds = [grace, ahead, limit, nextHop];
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

  /** Where the last look found nothing, this one can wait for the questions of others: an idle process asks once a second. */
  private async askFirst(question: Question): Promise<readonly OverdueRow[]> {
    if (this.isIdle) return Lookout.of(this.dataSource).ask(question);
    return this.dataSource.query(question.sql, [...question.values]);
  }

  /** The oldest emails that wait for a next hop, at most `limit`, are due now. */
  async release(nextHop: string, limit: number): Promise<ReleasedEmails> {
    const rows: (ReleasedEmail & { waits: boolean })[] = await this.dataSource.query(sql.RELEASE, [nextHop, limit]);
    const emails = rows.flatMap(({ waits, ...email }) => (waits ? [email] : []));
    return { emails, more: rows.length === limit };
  }

  /** @param limit up to which emails are counted */
  async due(limit: number): Promise<DueEmails> {
    const [row]: DueEmails[] = await this.dataSource.query(sql.DUE, [limit]);
    return row ?? { count: 0, oldestAge: 0 };
  }
}

interface LeaseRow extends OwedEmail, Pick<Lease, 'endUnknown'> {
  fence: number | null;
  /** Of each attempt, in their order, how many milliseconds ago its end was found to be lost, or null; null if none was made. */
  lostAttempts: (number | null)[] | null;
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
  /** In no order; null when there are none. */
  events: { id: string; type: string; recipient: string | null; at: number }[] | null;
}

function toLeaseResult(row: LeaseRow | undefined): LeaseResult {
  if (!row) return { kind: 'nothing' };
  const { fence, startedId, startedAt, endUnknown, lostAttempts, wait } = row;
  if (fence !== null) {
    const started = startedId !== null && startedAt !== null ? { id: startedId, createdAt: startedAt } : null;
    const lostEnds = lostAttempts?.filter((since) => since !== null).length ?? 0;
    const sinceLostEnd = lostAttempts?.at(-1) ?? null;
    return { kind: 'leased', lease: { email: row, fence, started, endUnknown, lostEnds, sinceLostEnd } };
  }
  return wait !== null && wait > 0 ? { kind: 'wait', wait } : { kind: 'nothing' };
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

/** An end has one event of a type for a recipient, and one for the whole email. */
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
