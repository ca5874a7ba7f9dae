import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { atSavepoint } from '../../../shared/rows/at-savepoint.js';
import type { EmailEventType, MovedBy } from '../../states/email-states.js';
import { EmailEntity } from '../entities/email.entity.js';
import * as sql from '../read/email.sql.js';
import { exportOf } from '../read/export.sql.js';
import { ALL, askFiltered, countOf, NO_FILTERS } from '../read/filtered-page.js';
import { FIND } from '../read/found-email.sql.js';
import type { EmailFilters, PageBounds, PageColumns, PageCursor } from '../read/page-bounds.js';
import { PREPARED_STATEMENTS } from '../storage.tokens.js';
import * as acceptSql from './accept.sql.js';
import { emailsJson, textOf } from './emails-json.js';
import type { IdempotencyClaim, NewAttachment, NewEmail } from './new-email.js';
import { queryOnce } from './query-once.js';
import { queryWithin } from './query-within.js';
import type { JoinedTransaction } from './transactions.js';

export type { EmailFilters, IdempotencyClaim, NewAttachment, NewEmail, PageBounds, PageColumns, PageCursor };

/** The data of an accepted email. */
export interface Accepted {
  /** Milliseconds until the email is due; 0 when it is due now. */
  delay: number;
  firstEvent: MovedBy<'send'>;
  eventId: string;
  /** When it was recorded. Milliseconds since 1970. */
  eventAt: number;
}

/** A lock that another transaction holds: the email's idempotency key, its given message id, or its account's list. */
export type BusyLock = 'key' | 'message_id' | 'account';

type AcceptRow = { id: string } & ((Accepted & { busy: null }) | { busy: BusyLock });

/** `busy`: the lock that was not free; null when another request has the idempotency key. */
export type AcceptResult = ({ accepted: true } & Accepted) | { accepted: false; busy: BusyLock | null };

/** An email for the queue. */
export interface StoredWakeUp {
  emailId: string;
  accountId: string;
  fence: number;
  isBulk: boolean;
  /** Milliseconds until it is due. */
  delay: number;
}

export interface FirstAnswer {
  emailId: string;
  requestHash: string;
}

/** An email as `GET /emails` shows it, before naming. Timestamps look like `2026-11-21 05:26:01.123456+00`. */
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

/** In a summary as well. */
export interface SummaryFields extends Pick<FoundEmail, 'tags' | 'topicId'> {
  /** Number of attachments that are kept. */
  attachments: number;
}

/** An email as `GET /emails/:id` shows it, before naming. */
export interface FoundEmail extends ListedEmail {
  tags: { name: string; value: string }[];
  topicId: string | null;
  /** The email that was sent again as this one. */
  resentFrom: string | null;
  /** True if it was accepted without html, text and attachments. */
  isEmpty: boolean;
  /** Its content is not shown, and is cleared when nothing is pending. */
  isSensitive: boolean;
  /** In the lane `bulk`. */
  isBulk: boolean;
  /** The hold of its account, while it is pending. `since`: as `createdAt`. */
  held: { since: string; reason: string } | null;
  /** Bytes of html, text, sender, subject, mailboxes and tags. */
  contentSize: number;
}

/** Columns of an email that may be large, and are then read separately. */
export type EmailContent = Pick<ListedEmail, 'id' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'html' | 'text'>;

/** A row of a page. */
export interface PageRow extends ListedEmail, Partial<SummaryFields> {
  /** Bytes of content from the first row to this one. */
  contentSize: number;
  /** Number of rows without the limit `maxBytes`. */
  available: number;
}

/** An email without its content, before naming. */
export interface ExportRow extends Omit<ListedEmail, 'html' | 'text'>, Pick<FoundEmail, 'tags' | 'topicId'> {
  seq: string;
  /** Number of rows without the limit `maxBytes`. */
  available: number;
}

/** The methods of `EmailsRepository`, for tests with another storage. */
export type EmailStore = Pick<EmailsRepository, keyof EmailsRepository>;

@Injectable()
export class EmailsRepository {
  /** @param prepare whether connections keep prepared statements */
  constructor(
    @InjectRepository(EmailEntity) private readonly emails: Repository<EmailEntity>,
    @Inject(PREPARED_STATEMENTS) private readonly prepare = true,
  ) {}

  /**
   * Writes emails with their deliveries, attachments, idempotency keys and first events in one statement: all of them
   * or none. Leaves out emails whose idempotency key is taken, or whose key or given message id is locked by another
   * transaction.
   *
   * @param lockTimeout limit of each wait for accounts or for locks that could not be tried before, in milliseconds;
   * then it
   * fails with SQLSTATE 55P03
   * @throws Error with SQLSTATE 23505 when the account already has a given message id
   * @throws OutcomeUnknownError when the connection was lost and the emails may be written or not
   */
  accept(emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> {
    return this.write('nestjs_emails_accept', acceptSql.ACCEPT, emails, lockTimeout);
  }

  /** The same, without waiting: leaves out the emails of busy accounts. */
  acceptFree(emails: readonly NewEmail[], lockTimeout: number): Promise<AcceptResult[]> {
    return this.write('nestjs_emails_accept_free', acceptSql.ACCEPT_FREE, emails, lockTimeout);
  }

  /**
   * The same for one email within the host's transaction, which decides about the commit and can continue when the
   * message id is taken. Waits for the key and the message id.
   */
  async acceptWithin(transaction: JoinedTransaction, email: NewEmail): Promise<AcceptResult> {
    const json = textOf(await emailsJson([email]), transaction);
    const write = () => queryWithin<AcceptRow>(transaction, this.emails, acceptSql.ACCEPT_WITHIN, [json]);
    const rows = await (hasGivenMessageId(email) ? atSavepoint(transaction, write) : write());
    return toResult(rows[0]);
  }

  /** Finds the acceptance of these emails, by id. Leaves out those that were not accepted. */
  async findAccepted(ids: readonly string[]): Promise<Map<string, AcceptResult>> {
    const rows: ({ id: string } & Accepted)[] = await this.emails.query(acceptSql.FIND_ACCEPTED, [ids]);
    return new Map(rows.map((row) => [row.id, toResult({ ...row, busy: null })]));
  }

  /** Those of these emails that are not over, for the queue. */
  wakeUps(ids: readonly string[]): Promise<StoredWakeUp[]> {
    return this.emails.query(acceptSql.WAKE_UPS, [ids]);
  }

  /** The first answer to a key that has not expired. An uncommitted answer is visible to its own transaction only. */
  async findAnswer(accountId: string, key: string, transaction?: JoinedTransaction): Promise<FirstAnswer | undefined> {
    const rows = await queryWithin<FirstAnswer>(transaction, this.emails, sql.FIND_ANSWER, [accountId, key]);
    return rows[0];
  }

  /**
   * An email of this account. If its content has more than `inlineBytes`, its `EmailContent` is null and must be read
   * separately.
   */
  async find(accountId: string, id: string, inlineBytes: number): Promise<FoundEmail | undefined> {
    const rows: FoundEmail[] = await this.emails.query(FIND, [accountId, id, inlineBytes]);
    return rows[0];
  }

  /**
   * The message ids among these that emails of this account have. An uncommitted one is visible to its own transaction
   * only.
   */
  async takenMessageIds(
    accountId: string,
    messageIds: readonly string[],
    transaction?: JoinedTransaction,
  ): Promise<ReadonlySet<string>> {
    const ids = messageIds.flatMap((messageId) => MADE_OF.exec(messageId)?.[1] ?? []);
    const asked = [accountId, messageIds, ids];
    const rows = await queryWithin<{ messageId: string }>(transaction, this.emails, sql.FIND_MESSAGE_IDS, asked);
    return new Set(rows.map(({ messageId }) => messageId));
  }

  /** The sequence number of an email of this account. */
  async findSeq(accountId: string, id: string): Promise<string | undefined> {
    const rows: { seq: string }[] = await this.emails.query(sql.FIND_SEQ, [accountId, id]);
    return rows[0]?.seq;
  }

  /**
   * Up to `limit` emails of the account, nearest to the cursor first. A page ends before its content exceeds
   * `maxBytes`. From the row at which the content exceeds `inlineBytes`, `EmailContent` is null and must be read
   * separately.
   */
  page(
    accountId: string,
    cursor: PageCursor | undefined,
    { limit, inlineBytes, maxBytes, columns }: PageBounds,
  ): Promise<PageRow[]> {
    const bounds = [limit, inlineBytes, maxBytes];
    const page = cursor?.direction === 'newer' ? sql.PAGE_NEWER : sql.PAGE_OLDER;
    return this.emails.query(page[columns], [accountId, cursor?.seq ?? null, ...bounds]);
  }

  /**
   * The same for emails that match the filters.
   *
   * @throws SQLSTATE 57014 when it takes longer than `FILTERING` milliseconds
   */
  filteredPage(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    { limit, inlineBytes, maxBytes, columns }: PageBounds,
  ): Promise<PageRow[]> {
    const pageOf = (emails: string, order: sql.Order) => sql.pageOf(emails, order, columns);
    const statement = { sql: pageOf, values: [inlineBytes, maxBytes], isPage: true };
    return askFiltered(this.emails.manager.connection, { accountId, filters, cursor, limit, statement });
  }

  /**
   * Summaries of up to `limit` emails that are older than a sequence number and match the filters, newest first. A page
   * ends before it exceeds `maxBytes`.
   *
   * @param filters undefined: all emails
   * @param seq undefined: from the newest on
   * @throws SQLSTATE 57014 as `filteredPage`
   */
  exportPage(
    accountId: string,
    filters: EmailFilters | undefined,
    seq: string | undefined,
    { limit, maxBytes }: Pick<PageBounds, 'limit' | 'maxBytes'>,
  ): Promise<ExportRow[]> {
    const cursor = seq === undefined ? undefined : { direction: 'older' as const, seq };
    const statement = { sql: exportOf, values: [maxBytes], isPage: true };
    const question = { accountId, filters: filters ?? NO_FILTERS, cursor, limit, statement };
    return askFiltered(this.emails.manager.connection, question);
  }

  /**
   * The number of emails that match the filters.
   *
   * @param filters undefined: all emails
   * @throws SQLSTATE 57014 as `filteredPage`
   */
  async count(accountId: string, filters: EmailFilters | undefined): Promise<number> {
    const statement = { sql: countOf, values: [], isPage: false };
    const question = { accountId, filters: filters ?? NO_FILTERS, cursor: undefined, limit: ALL, statement };
    const [counted] = await askFiltered<{ count: number }>(this.emails.manager.connection, question);
    return counted?.count ?? 0;
  }

  /** The content of these emails of the account, in no order. */
  contents(accountId: string, ids: readonly string[], columns: PageColumns = 'all'): Promise<EmailContent[]> {
    return this.emails.query(sql.CONTENTS[columns], [accountId, ids]);
  }

  private async write(
    name: string,
    text: string,
    emails: readonly NewEmail[],
    lockTimeout: number,
  ): Promise<AcceptResult[]> {
    const json = emailsJson(emails);
    const rows = await queryOnce<AcceptRow>(this.emails.manager.connection, {
      ...(this.prepare && { name }),
      text,
      values: [typeof json === 'string' ? json : await json, `${lockTimeout}ms`],
    });
    const results = new Map(rows.map((row) => [row.id, toResult(row)]));
    return emails.map(({ id }) => results.get(id) ?? toResult(undefined));
  }
}

/** The email's id within a generated message id. */
const MADE_OF = /^<([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/;

/** True if a message id looks generated from an email's id. */
export function looksMade(messageId: string): boolean {
  return MADE_OF.test(messageId);
}

/** True if the caller gave the message id. Another email may then have the same one. */
export function hasGivenMessageId({ id, messageId }: Pick<NewEmail, 'id' | 'messageId'>): boolean {
  return !messageId.includes(id);
}

function toResult(row: AcceptRow | undefined): AcceptResult {
  if (!row) return { accepted: false, busy: null };
  if (row.busy !== null) return { accepted: false, busy: row.busy };
  const { delay, firstEvent, eventId, eventAt } = row;
  return { accepted: true, delay, firstEvent, eventId, eventAt };
}
