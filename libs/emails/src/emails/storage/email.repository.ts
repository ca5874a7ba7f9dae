import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { EmailEventType, MovedBy } from '../states/email-states.js';
import * as acceptSql from './accept.sql.js';
import { SameDatabase } from './database-identity.js';
import * as sql from './email.sql.js';
import { emailsJson, textOf } from './emails-json.js';
import { findFiltered } from './filtered-page.js';
import { FIND } from './found-email.sql.js';
import { checkJoined } from './joined-transaction.js';
import type { IdempotencyClaim, NewAttachment, NewEmail } from './new-email.js';
import type { EmailFilters, PageBounds, PageCursor } from './page-bounds.js';
import { queryOnce } from './query-once.js';

export type { EmailFilters, IdempotencyClaim, NewAttachment, NewEmail, PageBounds, PageCursor };

/** What is said of an email that was written. */
export interface Accepted {
  /** Milliseconds until the email is due, 0 when it is due now. */
  delay: number;
  firstEvent: MovedBy<'send'>;
  eventId: string;
  /** When it was recorded. Milliseconds since 1970. */
  eventAt: number;
}

/** What somebody else holds: the idempotency key of an email, the message id that it was given, or the list of its account. */
export type BusyLock = 'key' | 'message_id' | 'account';

type AcceptRow = { id: string } & ((Accepted & { busy: null }) | { busy: BusyLock });

/** `busy`: what kept the email from being tried; null when its idempotency key is taken. */
export type AcceptResult = ({ accepted: true } & Accepted) | { accepted: false; busy: BusyLock | null };

export interface FirstAnswer {
  emailId: string;
  requestHash: string;
}

/** An email as `GET /emails` shows it, before naming. Timestamps are `2026-11-21 05:26:01.123456+00`. */
export interface ListedEmail {
  id: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  html: string | null;
  text: string | null;
  createdAt: string;
  scheduledAt: string | null;
  lastEvent: EmailEventType;
}

/** An email as `GET /emails/:id` shows it, before naming. */
export interface FoundEmail extends ListedEmail {
  tags: { name: string; value: string }[];
  topicId: string | null;
  /** The email that was sent again as this one. */
  resentFrom: string | null;
  /** Accepted without html, text and attachments. */
  isEmpty: boolean;
  /** Bytes of content: of html, text, sender, subject, mailboxes and tags. */
  contentSize: number;
}

/** Columns of an email that may be large, and are read apart then. */
export type EmailContent = Pick<ListedEmail, 'id' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'html' | 'text'>;

/** A row of a page. */
export interface PageRow extends ListedEmail {
  /** Bytes of content from the first row to this one. */
  contentSize: number;
  /** How many rows there would have been without `maxBytes`. */
  available: number;
}

/** What `EmailRepository` does, for tests that keep emails elsewhere. */
export type EmailStore = Pick<EmailRepository, keyof EmailRepository>;

@Injectable()
export class EmailRepository {
  private readonly database: SameDatabase;

  /** @param prepare whether connections keep prepared statements */
  constructor(
    private readonly dataSource: DataSource,
    private readonly prepare = true,
  ) {
    this.database = new SameDatabase(dataSource);
  }

  /**
   * Writes emails with their deliveries, attachments, idempotency keys and first events: all of them or none, in one
   * statement. An email whose idempotency key is taken is left out, as is one whose key or given message id somebody holds.
   *
   * @param lockTimeout milliseconds to wait for the accounts, and for what could not be known before; then it fails with
   *   SQLSTATE 55P03
   * @throws Error with SQLSTATE 23505 when one of them was given a message id that the account has
   * @throws OutcomeUnknownError when the connection was lost and the emails may be written or not
   */
  accept(emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> {
    return this.write('nestjs_emails_accept', acceptSql.ACCEPT, emails, lockTimeout);
  }

  /** The same, and leaves out the emails of accounts that would have to be waited for. */
  acceptFree(emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> {
    return this.write('nestjs_emails_accept_free', acceptSql.ACCEPT_FREE, emails, lockTimeout);
  }

  /**
   * The same for one email within a transaction of the host's, which decides whether it stays, and goes on when its message
   * id is taken. Waits for its key and its message id.
   */
  async acceptWithin(transaction: EntityManager, email: NewEmail): Promise<AcceptResult> {
    await checkJoined(transaction, this.database);
    const json = textOf(await emailsJson([email]));
    const write = (manager: EntityManager) => manager.query<AcceptRow[]>(acceptSql.ACCEPT_WITHIN, [json]);
    const rows = await (hasGivenMessageId(email) ? transaction.transaction(write) : write(transaction));
    return toResult(rows[0]);
  }

  /** What was said of these emails when they were accepted, by id. Those that were not are left out. */
  async findAccepted(ids: readonly string[]): Promise<Map<string, AcceptResult>> {
    const rows: ({ id: string } & Accepted)[] = await this.dataSource.query(acceptSql.FIND_ACCEPTED, [ids]);
    return new Map(rows.map((row) => [row.id, toResult({ ...row, busy: null })]));
  }

  /** The first answer to a key that has not expired; one that is not committed yet is seen by its transaction only. */
  async findAnswer(accountId: string, key: string, transaction?: EntityManager): Promise<FirstAnswer | undefined> {
    const rows: FirstAnswer[] = await (transaction ?? this.dataSource).query(sql.FIND_ANSWER, [accountId, key]);
    return rows[0];
  }

  /** An email of this account. With more than `inlineBytes` of content, its `EmailContent` is null and has to be read apart. */
  async find(accountId: string, id: string, inlineBytes: number): Promise<FoundEmail | undefined> {
    const rows: FoundEmail[] = await this.dataSource.query(FIND, [accountId, id, inlineBytes]);
    return rows[0];
  }

  /** Which of these message ids emails of this account have. One that is not committed yet is seen by its transaction only. */
  async takenMessageIds(
    accountId: string,
    messageIds: readonly string[],
    transaction?: EntityManager,
  ): Promise<ReadonlySet<string>> {
    const ids = messageIds.flatMap((messageId) => MADE_OF.exec(messageId)?.[1] ?? []);
    const rows: { messageId: string }[] = await (transaction ?? this.dataSource).query(sql.FIND_MESSAGE_IDS, [
      accountId,
      messageIds,
      ids,
    ]);
    return new Set(rows.map(({ messageId }) => messageId));
  }

  /** The sequence number of an email of this account. */
  async findSeq(accountId: string, id: string): Promise<string | undefined> {
    const rows: { seq: string }[] = await this.dataSource.query(sql.FIND_SEQ, [accountId, id]);
    return rows[0]?.seq;
  }

  /**
   * At most `limit` emails of the account, in the direction of travel: the nearest to the cursor first. A page that
   * would hold more than `maxBytes` of content ends earlier. From where it holds more than `inlineBytes`, the `EmailContent`
   * of its rows is null and has to be read apart.
   */
  page(
    accountId: string,
    cursor: PageCursor | undefined,
    { limit, inlineBytes, maxBytes }: PageBounds,
  ): Promise<PageRow[]> {
    const bounds = [limit, inlineBytes, maxBytes];
    if (cursor?.direction === 'newer') return this.dataSource.query(sql.PAGE_NEWER, [accountId, cursor.seq, ...bounds]);
    return this.dataSource.query(sql.PAGE_OLDER, [accountId, cursor?.seq ?? null, ...bounds]);
  }

  /**
   * The same of those that the filters let through.
   *
   * @throws SQLSTATE 57014 when it takes longer than `FILTERING` milliseconds
   */
  filteredPage(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    bounds: PageBounds,
  ): Promise<PageRow[]> {
    return this.dataSource.transaction((manager) => findFiltered(manager, accountId, filters, cursor, bounds));
  }

  /** The content of these emails of the account, in no order. */
  contents(accountId: string, ids: readonly string[]): Promise<EmailContent[]> {
    return this.dataSource.query(sql.CONTENTS, [accountId, ids]);
  }

  private async write(
    name: string,
    text: string,
    emails: readonly NewEmail[],
    lockTimeout: number,
  ): Promise<AcceptResult[]> {
    const json = emailsJson(emails);
    const rows = await queryOnce<AcceptRow>(this.dataSource, {
      ...(this.prepare && { name }),
      text,
      values: [typeof json === 'string' ? json : await json, `${lockTimeout}ms`],
    });
    const results = new Map(rows.map((row) => [row.id, toResult(row)]));
    return emails.map(({ id }) => results.get(id) ?? toResult(undefined));
  }
}

/** The email's id, in a message id that was made. */
const MADE_OF = /^<([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/;

/** Whether a message id looks like one that was made of an email's id. */
export function looksMade(messageId: string): boolean {
  return MADE_OF.test(messageId);
}

/** Whether the caller gave the message id, which another email may have then. */
export function hasGivenMessageId({ id, messageId }: Pick<NewEmail, 'id' | 'messageId'>): boolean {
  return !messageId.includes(id);
}

function toResult(row: AcceptRow | undefined): AcceptResult {
  if (!row) return { accepted: false, busy: null };
  if (row.busy !== null) return { accepted: false, busy: row.busy };
  const { delay, firstEvent, eventId, eventAt } = row;
  return { accepted: true, delay, firstEvent, eventId, eventAt };
}
