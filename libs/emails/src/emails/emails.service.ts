import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { validate as isUUID } from 'uuid';
import { ApiError } from '../shared/errors/api-error.js';
import { isDatabaseUnavailable, isDataError } from '../shared/errors/database-errors.js';
import { toPageRequest } from '../shared/http/page-query.js';
import { checkJson } from '../shared/json/json-rules.js';
import { type ListEnvelope, toEnvelope } from '../shared/rows/page.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { readValues } from '../shared/validation/read-fields.js';
import { type EmailsQuery, toEmailFilters } from './read/email-filters.js';
import { type EmailRecord, toEmailRecord } from './read/email-record.js';
import { ListingService } from './read/listing.service.js';
import { AcceptanceService } from './send/acceptance.service.js';
import { BATCH_VALIDATIONS, type BatchAnswer, BatchService, type BatchValidation } from './send/batch/batch.service.js';
import { emailFields } from './send/request/email-fields.js';
import { ResendService } from './send/resend/resend.service.js';
import { resendFields } from './send/resend/resend-fields.js';
import type { SendEmail } from './send-email.js';

/** How an email is sent from the host's own code. */
export interface SendOptions {
  /**
   * As the `Idempotency-Key` header: the same key and the same email give the first id again, and nothing is sent.
   * 1 to 256 characters. Default: none.
   */
  idempotencyKey?: string | undefined;
  /**
   * The manager of a TypeORM transaction that the email joins: it exists if that commits, and never did if it rolls
   * back. Default: a transaction of its own.
   */
  manager?: EntityManager | undefined;
}

/** How many are sent from the host's own code at once. */
export interface SendBatchOptions extends SendOptions {
  /** As the `x-batch-validation` header. Default: `strict`. */
  validation?: BatchValidation | undefined;
}

/** How an email is sent again. */
export interface ResendEmail {
  /** Addresses of its recipients. Default: those who have bounced or failed. */
  recipients?: string | readonly string[] | undefined;
  /** As of `SendEmail`. Default: at once. */
  scheduled_at?: string | undefined;
}

/** An email that was accepted. */
export interface SentEmail {
  id: string;
}

/**
 * The API for the host's own code: the same rules as `POST /emails` and `GET /emails`, with the account said by the
 * caller. Works in every role. Refusals are `ApiError`s, with the contract's `statusCode` and `name`.
 */
@Injectable()
export class EmailsService {
  /** @internal Made by `EmailsModule`. */
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly listing: ListingService,
    private readonly batches: BatchService,
    private readonly resends: ResendService,
  ) {}

  /**
   * Resolves once the email is committed, or, with `manager`, written within that transaction. From the commit on it is
   * delivered, or ends in a terminal event.
   *
   * Until the commit, a joined email keeps nobody waiting but senders with the same idempotency key, or with an
   * attachment that is new to the account.
   *
   * @throws ApiError when the email is refused (4xx) or the database cannot be reached (503): its message says whether
   * nothing was accepted, or whether that is not known
   * @throws TypeError when the account id is none
   */
  async send(accountId: string, email: SendEmail, { idempotencyKey, manager }: SendOptions = {}): Promise<SentEmail> {
    checkAccountId(accountId);
    checkJson(email);
    const request = emailFields.read(email);
    const { id } = await translateErrors(this.acceptance.accept(accountId, request, { idempotencyKey, manager }));
    return { id };
  }

  /**
   * Sends 1 to 100 emails, as `POST /emails/batch` does: all of those that are not refused are committed together, or, with
   * `manager`, written within that transaction. Their order is that of the answer; no order of delivery is promised.
   *
   * @throws ApiError as `send` does; for an email that is wrong, its message begins with its place, unless `validation` is
   * `permissive`: then the answer has its `errors`
   * @throws TypeError when the account id is none
   */
  async sendBatch(
    accountId: string,
    emails: readonly SendEmail[],
    { validation = 'strict', ...options }: SendBatchOptions = {},
  ): Promise<BatchAnswer> {
    checkAccountId(accountId);
    if (!Array.isArray(emails)) throw ApiError.malformed('A batch must be an array of emails.');
    if (!BATCH_VALIDATIONS.includes(validation)) {
      throw ApiError.invalid('`validation` must be `strict` or `permissive`.');
    }
    const { answer } = await translateErrors(this.batches.accept(accountId, emails, validation, options));
    return answer;
  }

  /**
   * Sends an email of this account again, as a new email with the same content, as `POST /emails/:id/resend` does. Resolves
   * once that is committed.
   *
   * @throws ApiError when there is no such email (404), nobody to send to, or no content any more (422)
   * @throws TypeError when the account id is none
   */
  async resend(
    accountId: string,
    id: string,
    email: ResendEmail = {},
    { idempotencyKey }: Pick<SendOptions, 'idempotencyKey'> = {},
  ): Promise<SentEmail> {
    checkAccountId(accountId);
    if (!isUUID(id)) throw ApiError.invalidId();
    const request = readValues(email, resendFields);
    const sent = await translateErrors(this.resends.resend(accountId, id, request, idempotencyKey));
    return { id: sent.id };
  }

  /** An email of this account as the list shows it; undefined when there is none with this id. */
  async get(accountId: string, id: string): Promise<EmailRecord | undefined> {
    checkAccountId(accountId);
    if (!isUUID(id)) return undefined;
    const email = await translateErrors(this.listing.find(accountId, id));
    return email && toEmailRecord(email);
  }

  /**
   * A page of this account's emails that the filters let through, newest first. A page ends after 10 MB of html and text.
   *
   * @throws ApiError as `GET /emails` does
   */
  async list(accountId: string, query: EmailsQuery = {}): Promise<ListEnvelope<EmailRecord>> {
    checkAccountId(accountId);
    const [page, filters] = [toPageRequest(query), toEmailFilters(query)];
    const found = await translateErrors(this.listing.list(accountId, page, async () => {}, filters));
    return toEnvelope(found, toEmailRecord);
  }
}

/** What HTTP answers with 503 and 422 is an `ApiError` here too. Anything else is the database's own word. */
async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw ApiError.unavailable();
    if (isDataError(error)) throw ApiError.unstorable();
    throw error;
  }
}
