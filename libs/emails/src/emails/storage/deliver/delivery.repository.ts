import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import type { LeaseWrite } from '../../../shared/work/lease-write.js';
import { Lookout, type Question } from '../../../shared/work/lookout.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import type { MovedBy } from '../../states/email-states.js';
import type { ReachedState, RecipientState } from '../../states/recipient-state.js';
import type { NewAttachment } from '../accept/emails.repository.js';
import { DeliveryEntity } from '../entities/delivery.entity.js';
import * as sql from './delivery.sql.js';

/** The data that a worker needs to send an email. */
export interface PendingEmail {
  id: string;
  accountId: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string[];
  subject: string;
  /** Null, like `text`, also when `contentSize` exceeds the requested limit. */
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
  /** Id of the API key for which it was accepted, where sender policies were asked. */
  apiKeyId: string | null;
  domainId: string | null;
  /** Time since it was accepted. Milliseconds, by the clock of PostgreSQL. */
  acceptedFor: number;
  /** Time since it was first due. Milliseconds, by the same clock. */
  age: number;
  /** Time since it fell due, including waits for a next hop. Milliseconds, by the same clock. */
  dueFor: number;
  /** Attempts that ended before this lease, lost ends included. */
  attempts: number;
}

export interface Lease {
  email: PendingEmail;
  /** Every write under this lease carries it. */
  fence: number;
  /** The event that this lease moved the email from `scheduled` to `queued`, if it did. */
  started: { id: string; createdAt: Date } | null;
  /** True when an earlier worker died during an attempt: it is unknown whether a copy was sent. */
  endUnknown: boolean;
  /** Attempts of this email that began and whose end is unknown, including the one of `endUnknown`. */
  lostEnds: number;
  /** Milliseconds since the end of the latest attempt was found to be lost; null when its end is known. */
  sinceLostEnd: number | null;
}

/** `wait`: milliseconds until the email is due. `nothing`: finished, unknown, or leased by another worker. */
export type LeaseResult = { kind: 'leased'; lease: Lease } | { kind: 'wait'; wait: number } | { kind: 'nothing' };

export interface HeldLease {
  id: string;
  fence: number;
}

/** How a lease ends. */
export interface LeaseEnd extends HeldLease {
  recipients: readonly RecipientState[];
  lastEvent: ReachedState;
  attempts: number;
  /** Milliseconds until the next attempt; null when nothing is pending. */
  retryIn: number | null;
  /** Null when no attempt was made. */
  outcomes: readonly RecipientOutcome[] | null;
  endUnknown: boolean;
  events: readonly NewEvent[];
  /** The next hop that is down: when it is back, the email is due at once. */
  waitsFor?: string;
  /** Time since it fell due, if it waits for the next hop. Milliseconds. */
  dueFor?: number;
}

/** An event to be recorded. */
export interface NewEvent {
  type: MovedBy<'deliver'>;
  /** Absent when it is about the whole email. */
  recipient?: string;
  /** Text of a server or a policy. */
  reason?: string;
  reasonCode?: string;
  /** Number of the attempt that caused it, from 1. */
  attempt?: number;
  /** Only for a bounce. */
  bounce?: BounceKind;
}

/** A recorded event. */
export type RecordedEvent = NewEvent & { id: string; createdAt: Date };

/** The result of ending a lease: its events if they were recorded. */
export type LeaseClose = readonly RecordedEvent[] | Exclude<LeaseWrite, 'done'>;

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
  /** The oldest that waits for the next hop; null without any. */
  oldestWaiting: number | null;
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
  /** True if an email waits for the next hop. */
  anyWaits: boolean;
  /** A `dueAt` before which no email is overdue, except in long transactions. */
  clearTo?: string;
}

export type ReleasedEmail = Pick<OverdueEmail, 'emailId' | 'accountId' | 'fence'>;

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
   * Leases each due email for `duration` milliseconds. One result per id, in order. Html and text of more than
   * `inlineBytes` are left to `content`: a group of the largest emails would fill gigabytes.
   */
  async lease(ids: readonly string[], duration: number, inlineBytes: number): Promise<LeaseResult[]> {
    const rows: LeaseRow[] = await this.deliveries.query(sql.LEASE, [ids, duration, inlineBytes]);
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
   */
  async openAttempts(leases: readonly HeldLease[]): Promise<boolean[]> {
    const rows: { id: string }[] = await this.deliveries.query(sql.OPEN_ATTEMPTS, columns(leases));
    const opened = new Set(rows.map(({ id }) => id));
    return leases.map(({ id }) => opened.has(id));
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
  async close(ends: readonly LeaseEnd[]): Promise<LeaseClose[]> {
    const rows: LeaseCloseRow[] = await this.deliveries.query(sql.CLOSE, [JSON.stringify(ends)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ends.map((end) => toClose(end, byId.get(end.id)));
  }

  /** The same for one lease; waits for locks. */
  async closeLocked(end: LeaseEnd): Promise<LeaseClose> {
    const values = [JSON.stringify([end])];
    const rows: LeaseCloseRow[] = await this.deliveries.query(sql.CLOSE_LOCKED, values);
    return toClose(end, rows[0]);
  }

  /**
   * Emails that have been due for longer than `grace` milliseconds: their wake-up or their worker was lost. Also those
   * that fall due within the next `ahead` milliseconds, so that a lost wake-up does not delay them. The longest overdue
   * come first.
   *
   * @param nextHop the next hop that emails may wait for; `anyWaits` is about it
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

  /**
   * After a look without results this one may wait and be sent together with other questions: an idle process asks once
   * a second.
   */
  private async askFirst(question: Question): Promise<readonly OverdueRow[]> {
    if (this.isIdle) return Lookout.of(this.deliveries.manager.connection).ask(question);
    return this.deliveries.query(question.sql, [...question.values]);
  }

  /** Makes the oldest emails that wait for a next hop due now, up to `limit`. */
  async release(nextHop: string, limit: number): Promise<ReleasedEmails> {
    const emails: ReleasedEmail[] = await this.deliveries.query(sql.RELEASE, [nextHop, limit]);
    return { emails, more: emails.length === limit };
  }

  /** @param limit up to which emails are counted */
  async due(limit: number): Promise<DueEmails> {
    const [row]: DueEmails[] = await this.deliveries.query(sql.DUE, [limit]);
    return row ?? { count: 0, oldestAge: 0, waiting: 0, oldestWaiting: 0 };
  }

  /** How long mail has waited, asked together with other questions. */
  async lateness(nextHop: string): Promise<Lateness> {
    const question = { sql: sql.LATENESS, values: [nextHop] };
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
   * For each attempt in order: milliseconds since its end was found to be lost, or null. Null if there was no attempt.
   */
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
  /** In no order; null without events. */
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
