import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { RecipientState } from '../states/recipient-state.js';
import * as acceptSql from './accept.sql.js';
import { SameDatabase } from './database-identity.js';
import {
  type Accepted,
  type BusyLock,
  hasGivenMessageId,
  type NewAttachment,
  type NewEmail,
} from './email.repository.js';
import * as sql from './email.sql.js';
import { emailsJson, textOf } from './emails-json.js';
import { checkJoined } from './joined-transaction.js';
import { queryOnce } from './query-once.js';

/** The claim of a key that stands for the whole answer of an endpoint. */
export interface AnswerClaim {
  endpoint: string;
  key: string;
  requestHash: string;
  /** Milliseconds. */
  retention: number;
}

/** Emails of one account that are written all or none, and what is answered of all. */
export interface NewAnswer {
  accountId: string;
  emails: readonly NewEmail[];
  /** The body. */
  answer: object;
  idempotency: AnswerClaim | null;
  /** The one email's html and text are those of this email, and so are its attachments. */
  source?: EmailSource;
}

/** `busy`: what kept them from being tried; null when the key is taken, or the content of the source is gone. */
export type AnswerResult = { accepted: true; emails: readonly Accepted[] } | { accepted: false; busy: BusyLock | null };

/** What was answered to a key. */
export interface KeptAnswer {
  answer: object;
  requestHash: string;
}

/** What another email takes over from one, or a message is made of, but for html and text. */
export interface EmailSource {
  id: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  hasHtml: boolean;
  hasText: boolean;
  /** Accepted without html, text and attachments. */
  isEmpty: boolean;
  /** Bytes of html and text. */
  contentSize: number;
  headers: [string, string][];
  tags: { name: string; value: string }[];
  topicId: string | null;
  /** The scheduled time, but not before the time of acceptance. */
  date: Date;
  recipients: RecipientState[];
  attachments: NewAttachment[];
}

type AnswerRow = ({ id: string } & Accepted) | { id: null; busy: BusyLock | 'gone' | 'taken' | null };

/** What `AnswerRepository` does, for tests that keep emails elsewhere. */
export type AnswerStore = Pick<AnswerRepository, keyof AnswerRepository>;

/** Emails that have one answer together. */
@Injectable()
export class AnswerRepository {
  private readonly database: SameDatabase;

  constructor(private readonly dataSource: DataSource) {
    this.database = new SameDatabase(dataSource);
  }

  /**
   * Writes the emails of an answer as `EmailRepository` does, and the answer under its key: all of that or nothing, in one
   * statement.
   *
   * @param lockTimeout milliseconds to wait for the account, and for what could not be known before; then it fails with
   *   SQLSTATE 55P03
   * @throws OutcomeUnknownError when the connection was lost and they may be written or not
   */
  accept(answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    return this.write(answer.source ? acceptSql.ACCEPT_COPY : acceptSql.ACCEPT_WHOLE, answer, lockTimeout);
  }

  /** The same, and leaves it when the account would have to be waited for. */
  acceptFree(answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    return this.write(answer.source ? acceptSql.ACCEPT_COPY_FREE : acceptSql.ACCEPT_WHOLE_FREE, answer, lockTimeout);
  }

  /**
   * The same within a transaction of the host's, which decides whether it stays, and goes on when a message id is taken.
   * Waits for the key. Not for copies.
   */
  async acceptWithin(transaction: EntityManager, answer: NewAnswer): Promise<AnswerResult> {
    await checkJoined(transaction, this.database);
    const json = textOf(await emailsJson(answer.emails));
    const write = (manager: EntityManager) =>
      manager.query<AnswerRow[]>(acceptSql.ACCEPT_WHOLE_WITHIN, [json, claimJson(answer)]);
    const isGiven = answer.emails.some(hasGivenMessageId);
    return toResult(answer, await (isGiven ? transaction.transaction(write) : write(transaction)));
  }

  /** What was said of these emails when they were accepted; undefined when they were not. */
  async findAccepted({ emails }: NewAnswer): Promise<AnswerResult | undefined> {
    const rows: AnswerRow[] = await this.dataSource.query(acceptSql.FIND_ACCEPTED, [emails.map(({ id }) => id)]);
    return rows.length > 0 ? accepted(emails, rows) : undefined;
  }

  /** The first answer to a key that has not expired; one that is not committed yet is seen by its transaction only. */
  async findAnswer(
    accountId: string,
    { endpoint, key }: AnswerClaim,
    transaction?: EntityManager,
  ): Promise<KeptAnswer | undefined> {
    const asked = [accountId, endpoint, key];
    const rows: KeptAnswer[] = await (transaction ?? this.dataSource).query(sql.FIND_WHOLE_ANSWER, asked);
    return rows[0];
  }

  /** An email of this account. */
  async findSource(accountId: string, id: string): Promise<EmailSource | undefined> {
    const rows: EmailSource[] = await this.dataSource.query(sql.FIND_SOURCE, [accountId, id]);
    return rows[0];
  }

  private async write(text: string, answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    const json = await emailsJson(answer.emails);
    const values = [json, `${lockTimeout}ms`, claimJson(answer)] as const;
    return toResult(answer, await queryOnce<AnswerRow>(this.dataSource, { text, values }));
  }
}

/** As `json_to_record` reads it; without a key there is nothing to claim. */
function claimJson({ accountId, answer, idempotency, source, emails }: NewAnswer): string {
  return JSON.stringify({
    accountId,
    ...(idempotency && { ...idempotency, answer }),
    ...(source && {
      source: source.id,
      hasHtml: source.hasHtml,
      hasText: source.hasText,
      attachments: emails[0]?.attachments.length,
    }),
  });
}

function toResult({ emails }: NewAnswer, rows: readonly AnswerRow[]): AnswerResult {
  const busy = rows.flatMap((row) => (row.id === null && row.busy ? [row.busy] : []))[0];
  if (busy === undefined) return accepted(emails, rows);
  return { accepted: false, busy: busy === 'gone' || busy === 'taken' ? null : busy };
}

/** In the order of the emails. */
function accepted(emails: readonly NewEmail[], rows: readonly AnswerRow[]): AnswerResult {
  const byId = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])));
  return {
    accepted: true,
    emails: emails.map(({ id }) => {
      const row = byId.get(id);
      if (!row) throw new Error('An email of several was written without the others.');
      const { delay, firstEvent, eventId, eventAt } = row;
      return { delay, firstEvent, eventId, eventAt };
    }),
  };
}
