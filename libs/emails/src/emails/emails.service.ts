import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiError } from '../shared/errors/api-error.js';
import { isDatabaseUnavailable, isDataError } from '../shared/errors/database-errors.js';
import { unavailable } from '../shared/errors/unavailable.js';
import { ALL, type PageQuery, toPageRequest } from '../shared/http/page-query.js';
import { checkJson } from '../shared/json/json-rules.js';
import { type ListEnvelope, toEnvelope } from '../shared/rows/page.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { isUuid } from '../shared/text/is-uuid.js';
import { readValues } from '../shared/validation/read-fields.js';
import { type ChangedEmail, ChangeService } from './change/change.service.js';
import type { EmailChanges } from './change/email-changes.fields.js';
import { type ErasureRecord, ErasuresService } from './change/erasures.service.js';
import type { AttachmentRecord, SingleAttachmentRecord } from './read/attachment-record.js';
import { AttachmentsService } from './read/attachments.service.js';
import { type EmailsQuery, toEmailFilters } from './read/email-filters.js';
import { type EmailDetails, type EmailRecord, toEmailDetails, toEmailRecord } from './read/email-record.js';
import { ListingService } from './read/listing.service.js';
import { MetricsService } from './read/metrics/metrics.service.js';
import type { MetricsQuery } from './read/metrics/metrics-query.js';
import type { MetricsRecord } from './read/metrics/metrics-record.js';
import { type SharedEmailRecord, type ShareOptions, SharingService } from './read/sharing.service.js';
import { SourceService } from './read/source/source.service.js';
import type { EmailEventRecord } from './read/timeline/event-record.js';
import { type EventsQuery, toEventsRequest } from './read/timeline/events-query.js';
import type { EmailRecipientRecord } from './read/timeline/recipient-record.js';
import { TimelineService } from './read/timeline/timeline.service.js';
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

/** How an email is read. */
export interface ReadOptions {
  /**
   * Asked with the bytes of html and text of an email that has more than 64 kB of them, before more than 1 MB is read. To be
   * resolved when there is memory for them.
   */
  makeRoom?: ((bytes: number) => Promise<void>) | undefined;
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
    private readonly changes: ChangeService,
    private readonly sentAttachments: AttachmentsService,
    private readonly sharing: SharingService,
    private readonly sources: SourceService,
    private readonly timeline: TimelineService,
    private readonly counted: MetricsService,
    private readonly batches: BatchService,
    private readonly resends: ResendService,
    private readonly erasures: ErasuresService,
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
    const request = readValues(email, resendFields);
    const sent = await translateErrors(this.resends.resend(accountId, readId(id), request, idempotencyKey));
    return { id: sent.id };
  }

  /** An email of this account, as `GET /emails/:id` shows it; undefined when there is none with this id. */
  async get(
    accountId: string,
    id: string,
    { makeRoom = async () => {} }: ReadOptions = {},
  ): Promise<EmailDetails | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    const email = await translateErrors(this.listing.find(accountId, id, makeRoom));
    return email && toEmailDetails(email);
  }

  /**
   * An email of this account as a message, as `GET /emails/:id/source` answers; undefined when there is none with this id.
   * Html and text are in memory until it was read, attachments are opened in their turn: read it to its end, or destroy it.
   *
   * @throws ApiError 422 when its content is not kept any more
   */
  async source(accountId: string, id: string): Promise<Readable | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    const source = await translateErrors(this.sources.find(accountId, id.toLowerCase()));
    const message = source && (await translateErrors(source.open()));
    return Buffer.isBuffer(message) ? Readable.from([message]) : message;
  }

  /**
   * Has a scheduled email sent at another time: as `PATCH /emails/:id`.
   *
   * @throws ApiError 404 when there is no email with this id, 422 when it is not scheduled any more, 503 when the database
   * cannot be reached or somebody has the email locked: its message says whether it is known that nothing was changed
   */
  async reschedule(accountId: string, id: string, changes: EmailChanges): Promise<ChangedEmail> {
    checkAccountId(accountId);
    return translateErrors(this.changes.reschedule(accountId, readId(id), changes));
  }

  /**
   * Cancels an email that is scheduled, or delayed and sent to nobody yet: as `POST /emails/:id/cancel`. What was canceled
   * before stays so. Once it has resolved, nothing of the email is sent.
   *
   * @throws ApiError as `reschedule` does
   */
  async cancel(accountId: string, id: string): Promise<ChangedEmail> {
    checkAccountId(accountId);
    return translateErrors(this.changes.cancel(accountId, readId(id)));
  }

  /**
   * Has a delayed email tried again now: as `POST /emails/:id/retry`.
   *
   * @throws ApiError as `reschedule` does
   */
  async retry(accountId: string, id: string): Promise<ChangedEmail> {
    checkAccountId(accountId);
    return translateErrors(this.changes.retry(accountId, readId(id)));
  }

  /**
   * A page of this account's emails that the filters let through, newest first. A page ends after 10 MB of html, text,
   * subjects and mailboxes.
   *
   * @throws ApiError as `GET /emails` does
   */
  async list(accountId: string, query: EmailsQuery = {}): Promise<ListEnvelope<EmailRecord>> {
    checkAccountId(accountId);
    const [page, filters] = [toPageRequest(query), toEmailFilters(query)];
    const found = await translateErrors(this.listing.list(accountId, page, async () => {}, filters));
    return toEnvelope(found, toEmailRecord);
  }

  /**
   * The attachments of an email of this account in the order in which they were given, with links to their bytes that need
   * no key.
   *
   * @throws ApiError as `GET /emails/:id/attachments` does: 404 without the email, 422 where no link can be made
   */
  async attachments(
    accountId: string,
    emailId: string,
    query: PageQuery = {},
  ): Promise<ListEnvelope<AttachmentRecord>> {
    checkAccountId(accountId);
    const [id, page] = [readId(emailId), toPageRequest(query, ALL)];
    return toEnvelope(await translateErrors(this.sentAttachments.list(accountId, id, page)), (record) => record);
  }

  /** One of them. @throws ApiError as `GET /emails/:id/attachments/:attachment_id` does: 404 without it, too */
  async attachment(accountId: string, emailId: string, id: string): Promise<SingleAttachmentRecord> {
    checkAccountId(accountId);
    return translateErrors(this.sentAttachments.find(accountId, readId(emailId), readId(id)));
  }

  /**
   * The bytes of an attachment of an email of this account, read from where they are kept as they are wanted. To be read to
   * its end or destroyed.
   *
   * @throws ApiError 404 without the email or the attachment
   */
  async openAttachment(accountId: string, emailId: string, id: string): Promise<Readable> {
    checkAccountId(accountId);
    return translateErrors(this.sentAttachments.open(accountId, readId(emailId), readId(id)));
  }

  /**
   * Makes a link to a page that shows an email of this account to anybody.
   *
   * @throws ApiError as `POST /emails/:id/share` does: 404 without the email, 422 where no link can be made
   */
  async share(accountId: string, emailId: string, options: ShareOptions = {}): Promise<SharedEmailRecord> {
    checkAccountId(accountId);
    return translateErrors(this.sharing.share(accountId, readId(emailId), options));
  }

  /**
   * What happened to an email of this account, newest first; undefined when there is none with this id. What retention has
   * deleted is not in it.
   *
   * @throws ApiError as `GET /emails/:id/events` does
   */
  async events(
    accountId: string,
    id: string,
    query: EventsQuery = {},
  ): Promise<ListEnvelope<EmailEventRecord> | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    return translateErrors(this.timeline.events(accountId, id, toEventsRequest(query)));
  }

  /** What became of each recipient of an email of this account; undefined when there is none with this id. */
  async recipients(accountId: string, id: string): Promise<ListEnvelope<EmailRecipientRecord> | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    return translateErrors(this.timeline.recipients(accountId, id));
  }

  /**
   * How much became of what this account sent: recipients, by the time of the event.
   *
   * @throws ApiError as `GET /emails/metrics` does
   */
  async metrics(accountId: string, query: MetricsQuery = {}): Promise<MetricsRecord> {
    checkAccountId(accountId);
    return translateErrors(this.counted.metrics(accountId, query));
  }

  /**
   * Erases a person from all of the account's emails so far and from what the `personErasers` keep, as `POST /erasures`
   * does. Resolves as soon as that is committed to be done; workers do it.
   *
   * @param email one address, without a name
   * @throws ApiError 422 when it is none
   */
  async erase(accountId: string, email: string): Promise<ErasureRecord> {
    checkAccountId(accountId);
    return translateErrors(this.erasures.create(accountId, { email }));
  }

  /** An erasure of this account; undefined when there is none with this id. */
  async erasure(accountId: string, id: string): Promise<ErasureRecord | undefined> {
    checkAccountId(accountId);
    return translateErrors(this.erasures.find(accountId, id));
  }
}

/** What HTTP answers with 503 and 422 is an `ApiError` here too. Anything else is the database's own word. */
async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw unavailable(error);
    if (isDataError(error)) throw ApiError.unstorable();
    throw error;
  }
}

/** @throws ApiError 422 */
function readId(id: string): string {
  if (!isUuid(id)) throw ApiError.invalidId();
  return id.toLowerCase();
}
