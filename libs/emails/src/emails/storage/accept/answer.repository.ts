import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Action } from '../../../shared/actions/action-log.js';
import type { Caller } from '../../../shared/callers/caller.js';
import { atSavepoint } from '../../../shared/rows/at-savepoint.js';
import type { RecipientState } from '../../states/recipient-state.js';
import { IdempotentAnswerEntity } from '../entities/idempotent-answer.entity.js';
import { actionValues } from '../keep/actions.repository.js';
import * as sql from '../read/email.sql.js';
import * as acceptSql from './accept.sql.js';
import {
  type Accepted,
  type BusyLock,
  hasGivenMessageId,
  type NewAttachment,
  type NewEmail,
} from './emails.repository.js';
import { emailsJson, textOf } from './emails-json.js';
import { queryOnce } from './query-once.js';
import { queryWithin } from './query-within.js';
import type { JoinedTransaction } from './transactions.js';

/** The claim of a key that covers the whole answer of an endpoint. */
export interface AnswerClaim {
  endpoint: string;
  key: string;
  requestHash: string;
  /** Milliseconds. */
  retention: number;
}

/** Emails of one account that are written together or not at all, and their common answer. */
export interface NewAnswer {
  accountId: string;
  emails: readonly NewEmail[];
  /** The response body. */
  answer: object;
  idempotency: AnswerClaim | null;
  /** The email from which html, text and attachments of the one email are copied. */
  source?: EmailSource;
  /** The action to record with a copy. */
  action?: (Action & { caller: Caller }) | undefined;
}

/** `busy`: the lock that was not free; null when another request has the key, or the content of the source is gone. */
export type AnswerResult = { accepted: true; emails: readonly Accepted[] } | { accepted: false; busy: BusyLock | null };

/** The stored answer of a key. */
export interface KeptAnswer {
  answer: object;
  requestHash: string;
}

/** The data of an email, without html and text, for copying it or building a message. */
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
  /** True if it was accepted without html, text and attachments. */
  isEmpty: boolean;
  /** Its content is not shown. Then it has none here. */
  isSensitive: boolean;
  /** In the lane `bulk`. */
  isBulk: boolean;
  /** Bytes of html and text. */
  contentSize: number;
  headers: [string, string][];
  tags: { name: string; value: string }[];
  topicId: string | null;
  templateId: string | null;
  /** The scheduled time, but not before the time of acceptance. */
  date: Date;
  recipients: RecipientState[];
  attachments: NewAttachment[];
}

type AnswerRow = ({ id: string } & Accepted) | { id: null; busy: BusyLock | 'gone' | 'taken' | null };

/** The methods of `AnswerRepository`, for tests with another storage. */
export type AnswerStore = Pick<AnswerRepository, keyof AnswerRepository>;

/** Emails with a common answer. */
@Injectable()
export class AnswerRepository {
  constructor(@InjectRepository(IdempotentAnswerEntity) private readonly answers: Repository<IdempotentAnswerEntity>) {}

  /**
   * Writes the emails of an answer as `EmailsRepository` does, and the answer under its key, in one statement: all of
   * it or nothing.
   *
   * @param lockTimeout limit of each wait for the account or for locks that could not be tried before, in milliseconds;
   * then it
   * fails with SQLSTATE 55P03
   * @throws OutcomeUnknownError when the connection was lost and they may be written or not
   */
  accept(answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    return this.write(answer.source ? acceptSql.ACCEPT_COPY : acceptSql.ACCEPT_WHOLE, answer, lockTimeout);
  }

  /** The same, without waiting for the account. */
  acceptFree(answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    return this.write(answer.source ? acceptSql.ACCEPT_COPY_FREE : acceptSql.ACCEPT_WHOLE_FREE, answer, lockTimeout);
  }

  /**
   * The same within the host's transaction, which decides about the commit and can continue when a message id is taken.
   * Waits for the key. Not for copies.
   */
  async acceptWithin(transaction: JoinedTransaction, answer: NewAnswer): Promise<AnswerResult> {
    const json = textOf(await emailsJson(answer.emails), transaction);
    const values = [json, claimJson(answer)];
    const write = () => queryWithin<AnswerRow>(transaction, this.answers, acceptSql.ACCEPT_WHOLE_WITHIN, values);
    const isGiven = answer.emails.some(hasGivenMessageId);
    return toResult(answer, await (isGiven ? atSavepoint(transaction, write) : write()));
  }

  /** Finds the acceptance of these emails; undefined when they were not accepted. */
  async findAccepted({ emails }: NewAnswer): Promise<AnswerResult | undefined> {
    const rows: AnswerRow[] = await this.answers.query(acceptSql.FIND_ACCEPTED, [emails.map(({ id }) => id)]);
    return rows.length > 0 ? accepted(emails, rows) : undefined;
  }

  /** The first answer to a key that has not expired. An uncommitted answer is visible to its own transaction only. */
  async findAnswer(
    accountId: string,
    { endpoint, key }: AnswerClaim,
    transaction?: JoinedTransaction,
  ): Promise<KeptAnswer | undefined> {
    const asked = [accountId, endpoint, key];
    const rows = await queryWithin<KeptAnswer>(transaction, this.answers, sql.FIND_WHOLE_ANSWER, asked);
    return rows[0];
  }

  /** An email of this account. */
  async findSource(accountId: string, id: string): Promise<EmailSource | undefined> {
    const rows: EmailSource[] = await this.answers.query(sql.FIND_SOURCE, [accountId, id]);
    return rows[0];
  }

  private async write(text: string, answer: NewAnswer, lockTimeout: number): Promise<AnswerResult> {
    const json = await emailsJson(answer.emails);
    const values = [json, `${lockTimeout}ms`, claimJson(answer)] as const;
    return toResult(answer, await queryOnce<AnswerRow>(this.answers.manager.connection, { text, values }));
  }
}

/** The claim as `json_to_record` reads it. Without a key there is nothing to claim. */
function claimJson({ accountId, answer, idempotency, source, action, emails }: NewAnswer): string {
  return JSON.stringify({
    accountId,
    ...(idempotency && { ...idempotency, answer }),
    ...(source && {
      source: source.id,
      hasHtml: source.hasHtml,
      hasText: source.hasText,
      attachments: emails[0]?.attachments.length,
    }),
    ...(action && { action: actionValues(action.caller, action) }),
  });
}

function toResult({ emails }: NewAnswer, rows: readonly AnswerRow[]): AnswerResult {
  const busy = rows.flatMap((row) => (row.id === null && row.busy ? [row.busy] : []))[0];
  if (busy === undefined) return accepted(emails, rows);
  return { accepted: false, busy: busy === 'gone' || busy === 'taken' ? null : busy };
}

/** Results in the order of the emails. */
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
