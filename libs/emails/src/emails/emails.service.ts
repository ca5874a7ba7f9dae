import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../shared/errors/api-error.js';
import { isDatabaseUnavailable, isDataError } from '../shared/errors/database-errors.js';
import { unavailable } from '../shared/errors/unavailable.js';
import { ALL, type PageQueryDto } from '../shared/http/page-query.dto.js';
import { toPageRequest } from '../shared/http/page-query.js';
import { readQuery } from '../shared/http/query.js';
import { checkJson } from '../shared/json/json-rules.js';
import { callOptions } from '../shared/options/call-options.js';
import { toEnvelope } from '../shared/rows/page.js';
import type { Transaction } from '../shared/rows/sql-transaction.js';
import { checkAccountId } from '../shared/text/account-id.js';
import { isUuid } from '../shared/text/is-uuid.js';
import { DtoReader } from '../shared/validation/dto-reader.js';
import { readValues } from '../shared/validation/read-fields.js';
import type { EmailActionDto } from './actions/email-action.dto.js';
import { EmailActionsService } from './actions/email-actions.service.js';
import type { StartActionDto } from './actions/start-action.dto.js';
import type { StartedActionDto } from './actions/started-action.dto.js';
import { ChangeService } from './change/change.service.js';
import type { ChangedEmailDto } from './change/changed-email.dto.js';
import { DeliveryDrain } from './change/delivery-drain.js';
import type { ErasureDto } from './change/erasure.dto.js';
import { ErasuresService } from './change/erasures.service.js';
import { checkPause, checkTarget } from './change/pause.check.js';
import { PausesService } from './change/pauses.service.js';
import { ReportService } from './change/report.service.js';
import { checkReport } from './change/reported-outcome.check.js';
import { UnsubscribeService } from './change/unsubscribe.service.js';
import type { UpdateEmailDto } from './change/update-email.dto.js';
import type { Drained, DrainOptions } from './ports/drained.js';
import type { AccountHold, NewPause, Pause, PausedPart, PauseTarget } from './ports/pause.js';
import type { PausedMail } from './ports/paused-mail.js';
import type { ReportedOutcome, ReportResult } from './ports/reported-outcome.js';
import type { SenderKey } from './ports/sender-policy.js';
import type { MessageRecipient } from './ports/unsubscribe-mailbox.js';
import { AttachmentsService } from './read/attachments.service.js';
import type { EmailDetailsDto } from './read/email-details.dto.js';
import { toEmailFilters, toPageColumns } from './read/email-filters.js';
import type { EmailListDto } from './read/email-list.dto.js';
import { toEmailDetails, toListedEmail } from './read/email-record.js';
import { ExportService } from './read/export/export.service.js';
import type { ListEmailsQueryDto } from './read/list-emails-query.dto.js';
import { ListingService } from './read/listing.service.js';
import type { EmailMetricsDto } from './read/metrics/email-metrics.dto.js';
import { MetricsService } from './read/metrics/metrics.service.js';
import type { MetricsQueryDto } from './read/metrics/metrics-query.dto.js';
import type { SentAttachmentListDto } from './read/sent-attachment-list.dto.js';
import type { ShareEmailDto } from './read/share-email.dto.js';
import type { SharedEmailDto } from './read/shared-email.dto.js';
import { SharingService } from './read/sharing.service.js';
import type { SingleAttachmentDto } from './read/single-attachment.dto.js';
import { SourceService } from './read/source/source.service.js';
import { SourceQueryDto } from './read/source/source-query.dto.js';
import type { EmailEventListDto } from './read/timeline/email-event-list.dto.js';
import type { EmailRecipientListDto } from './read/timeline/email-recipient-list.dto.js';
import { toEventsRequest } from './read/timeline/events-request.js';
import type { ListEventsQueryDto } from './read/timeline/list-events-query.dto.js';
import { TimelineService } from './read/timeline/timeline.service.js';
import { type AcceptanceOptions, AcceptanceService } from './send/acceptance.service.js';
import { AfterCommit } from './send/after-commit.js';
import type { BatchDto } from './send/batch/batch.dto.js';
import { BATCH_VALIDATIONS, BatchService, type BatchValidation } from './send/batch/batch.service.js';
import { SendEmailDto } from './send/request/send-email.dto.js';
import { ResendService } from './send/resend/resend.service.js';
import { ResendEmailDto } from './send/resend/resend-email.dto.js';
import type { SentEmailDto } from './send/sent-email.dto.js';
import type { SendEmail } from './send-email.js';
import { Transactions } from './storage/accept/transactions.js';

/** Options for sending an email from the host's own code. */
export interface SendOptions {
  /**
   * As the `Idempotency-Key` header: the same key and the same email return the first id again, and nothing is sent. 1
   * to 256 characters. Default: none.
   */
  idempotencyKey?: string | undefined;
  /**
   * The open transaction that the email joins: the email exists only if that commits. If TypeORM commits, the email is
   * sent at once; else within `delivery.sweepInterval`, or as soon as `wake` is called. Default: a transaction of its
   * own.
   */
  transaction?: Transaction | undefined;
  /** The API key for which the email is sent, for sender policies. Default: none. */
  key?: SenderKey | undefined;
}

/** Options for sending several emails at once from the host's own code. */
export interface SendBatchOptions extends SendOptions {
  /** As the `x-batch-validation` header. Default: `strict`. */
  validation?: BatchValidation | undefined;
}

/** Options for sending an email again. */
export interface ResendEmail {
  /** Addresses of its recipients. Default: those that bounced or failed. */
  recipients?: string | readonly string[] | undefined;
  /** As in `SendEmail`. Default: at once. */
  scheduled_at?: string | undefined;
}

/** Options for reading an email. */
export interface ReadOptions {
  /**
   * Called before more than 1 MB of content is read: with the bytes of html and text of an email that has more than 64
   * kB of them. It should resolve when there is memory for them.
   */
  makeRoom?: ((bytes: number) => Promise<void>) | undefined;
}

const SEND = { idempotencyKey: true, transaction: true, key: true } as const;
const checkSend = callOptions<SendOptions>('EmailsService.send', SEND);
const checkSendBatch = callOptions<SendBatchOptions>('EmailsService.sendBatch', { validation: true, ...SEND });
const checkResend = callOptions<Pick<SendOptions, 'idempotencyKey' | 'key'>>('EmailsService.resend', {
  idempotencyKey: true,
  key: true,
});
const checkStartAction = callOptions<Pick<SendOptions, 'idempotencyKey' | 'key'>>('EmailsService.startAction', {
  idempotencyKey: true,
  key: true,
});
const checkDrain = callOptions<DrainOptions>('EmailsService.drain', { until: true });
const checkGet = callOptions<ReadOptions>('EmailsService.get', { makeRoom: true });

/**
 * The API for the host's own code: the same rules as `POST /emails` and `GET /emails`, for an account that the caller
 * names. Works in every role. Refusals are `ApiError`s, with the contract's `statusCode` and `name`.
 *
 * @example
 * ```ts
 * const emails = app.get(EmailsService);
 * const email = { from: 'Shop <hi@shop.example>', to: 'jane@example.com', subject: 'Your order', text: 'Thank you.' };
 * const { id } = await emails.send('acme', email, { idempotencyKey: 'order-1234' });
 * const sent = await emails.get('acme', id); // sent?.last_event
 * ```
 */
@Injectable()
export class EmailsService {
  /** @internal Created by `EmailsModule`. */
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
    private readonly transactions: Transactions,
    private readonly afterCommit: AfterCommit,
    private readonly reports: ReportService,
    private readonly unsubscribes: UnsubscribeService,
    private readonly actions: EmailActionsService,
    private readonly exports: ExportService,
    private readonly mailPauses: PausesService,
    private readonly deliveries: DeliveryDrain,
  ) {}

  /**
   * Resolves once the email is committed, or, with `transaction`, written within it. From the commit on it is
   * delivered, or ends in a terminal event.
   *
   * Until the commit, a joined email blocks only senders with the same idempotency key, or with an attachment that is
   * new to the account.
   *
   * @throws ApiError when the email is refused (4xx) or the database cannot be reached (503): its message says whether
   * nothing was accepted, or whether that is not known
   * @throws TypeError when the account id is none
   * @throws Error for an unknown option, and when the email cannot join `transaction`: it is not open, or on another database
   */
  async send(accountId: string, email: SendEmail | SendEmailDto, options: SendOptions = {}): Promise<SentEmailDto> {
    checkAccountId(accountId);
    checkSend(options);
    checkJson(email);
    const request = DtoReader.of(SendEmailDto).read(email);
    const accept = async () => this.acceptance.accept(accountId, request, await this.join(options));
    const { id } = await translateErrors(accept());
    return { id };
  }

  /**
   * Sends 1 to 100 emails, as `POST /emails/batch` does: all emails that are not refused are committed together, or,
   * with `transaction`, written within it. The answer keeps their order; the order of delivery is not guaranteed.
   *
   * @throws ApiError as `send` does; for an invalid email its message begins with the email's index, unless
   * `validation` is `permissive`: then the answer has its `errors`
   * @throws TypeError when the account id is invalid
   */
  async sendBatch(
    accountId: string,
    emails: readonly (SendEmail | SendEmailDto)[],
    options: SendBatchOptions = {},
  ): Promise<BatchDto> {
    checkAccountId(accountId);
    checkSendBatch(options);
    const { validation = 'strict', ...others } = options;
    if (!Array.isArray(emails)) throw ApiError.malformed('A batch must be an array of emails.');
    if (!BATCH_VALIDATIONS.includes(validation)) {
      throw ApiError.invalid('`validation` must be `strict` or `permissive`.');
    }
    const accept = async () => this.batches.accept(accountId, emails, validation, await this.join(others));
    const { answer } = await translateErrors(accept());
    return answer;
  }

  /**
   * Starts the delivery of emails whose `transaction` was committed without the library's notice. Never fails; a call
   * before the commit, or for an email that does not exist, does nothing.
   */
  wake(ids: string | readonly string[]): void {
    void this.afterCommit.wake([ids].flat().filter(isUuid));
  }

  /**
   * Sends an email of this account again, as a new email with the same content, as `POST /emails/:id/resend` does.
   * Resolves once that is committed.
   *
   * @throws ApiError when there is no such email (404), no recipient, or no content any more (422)
   * @throws TypeError when the account id is invalid
   */
  async resend(
    accountId: string,
    id: string,
    email: ResendEmail = {},
    options: Pick<SendOptions, 'idempotencyKey' | 'key'> = {},
  ): Promise<SentEmailDto> {
    checkAccountId(accountId);
    checkResend(options);
    const request = readValues(email, ResendEmailDto);
    const sent = await translateErrors(this.resends.resend(accountId, readId(id), request, options));
    return { id: sent.id };
  }

  /** An email of this account, as `GET /emails/:id` shows it; undefined when there is none with this id. */
  async get(accountId: string, id: string, options: ReadOptions = {}): Promise<EmailDetailsDto | undefined> {
    checkAccountId(accountId);
    checkGet(options);
    if (!isUuid(id)) return undefined;
    const email = await translateErrors(this.listing.find(accountId, id, options.makeRoom ?? (async () => {})));
    return email && toEmailDetails(email);
  }

  /**
   * An email of this account as a message, as `GET /emails/:id/source` answers; undefined when there is none with this
   * id. Html and text are in memory until it is read, attachments are opened in turn: read it completely, or destroy
   * it.
   *
   * @param query `recipient`: the message to this address, where each recipient gets a message of its own. Default: the first
   * @throws ApiError 422 when its content was deleted, or `recipient` is none of its recipients
   */
  async source(accountId: string, id: string, query: SourceQueryDto = {}): Promise<Readable | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    const { recipient } = readQuery(SourceQueryDto, { ...query });
    const source = await translateErrors(this.sources.find(accountId, id.toLowerCase(), recipient));
    const message = source && (await translateErrors(source.open()));
    return Buffer.isBuffer(message) ? Readable.from([message]) : message;
  }

  /**
   * Changes the time of a scheduled email: as `PATCH /emails/:id`.
   *
   * @throws ApiError 404 when there is no email with this id, 422 when it is not scheduled any more, 503 when the
   * database cannot be reached or the email is locked: its message says whether it is known that nothing was changed
   */
  async reschedule(accountId: string, id: string, changes: UpdateEmailDto): Promise<ChangedEmailDto> {
    checkAccountId(accountId);
    return translateErrors(this.changes.reschedule(accountId, readId(id), changes));
  }

  /**
   * Cancels an email that is scheduled, or delayed without a recipient sent to: as `POST /emails/:id/cancel`. A
   * canceled email stays canceled. Once this has resolved, nothing of the email is sent.
   *
   * @throws ApiError as `reschedule` does
   */
  async cancel(accountId: string, id: string): Promise<ChangedEmailDto> {
    checkAccountId(accountId);
    return translateErrors(this.changes.cancel(accountId, readId(id)));
  }

  /**
   * Tries a delayed email again now: as `POST /emails/:id/retry`.
   *
   * @throws ApiError as `reschedule` does
   */
  async retry(accountId: string, id: string): Promise<ChangedEmailDto> {
    checkAccountId(accountId);
    return translateErrors(this.changes.retry(accountId, readId(id)));
  }

  /**
   * Records a later report about one recipient, such as a bounce that came by mail. A recipient moves forward only, and
   * the same report again changes nothing: reports may come twice, late and in any order.
   *
   * @throws ApiError 503 when the database cannot be reached, or the email is locked or being sent: report it again
   * later
   * @throws TypeError when the report is malformed
   */
  async report(outcome: ReportedOutcome): Promise<ReportResult> {
    checkReport(outcome);
    return translateErrors(this.reports.report(outcome));
  }

  /**
   * Opts a recipient of an email out of its topic, and records it once: for a mail to the address of an
   * `UnsubscribeMailbox`. Without `unsubscribeLinks`, or a topic, nothing changes.
   *
   * @throws ApiError 503 when the database cannot be reached, or rows are locked: try again later
   */
  async unsubscribe(recipient: MessageRecipient): Promise<ReportResult> {
    return translateErrors(this.unsubscribes.unsubscribe(recipient));
  }

  /**
   * A page of this account's emails that match the filters, newest first. A page ends after 10 MB of html, text,
   * subjects and mailboxes.
   *
   * @throws ApiError as `GET /emails` does
   */
  async list(accountId: string, query: ListEmailsQueryDto = {}): Promise<EmailListDto> {
    checkAccountId(accountId);
    const [page, filters] = [toPageRequest(query), toEmailFilters(query)];
    const found = await translateErrors(
      this.listing.list(accountId, page, async () => {}, filters, toPageColumns(query)),
    );
    return toEnvelope(found, toListedEmail);
  }

  /**
   * The number of emails of this account that match the filters; `limit`, `after` and `before` have no meaning here.
   *
   * @throws ApiError 422 as `GET /emails/count` does
   */
  async count(accountId: string, query: ListEmailsQueryDto = {}): Promise<number> {
    checkAccountId(accountId);
    return translateErrors(this.listing.count(accountId, toEmailFilters(query)));
  }

  /**
   * The attachments of an email of this account in their original order, with links to their bytes that need no key.
   *
   * @throws ApiError as `GET /emails/:id/attachments` does: 404 without the email, 422 when links cannot be made
   */
  async attachments(accountId: string, emailId: string, query: PageQueryDto = {}): Promise<SentAttachmentListDto> {
    checkAccountId(accountId);
    const [id, page] = [readId(emailId), toPageRequest(query, ALL)];
    return toEnvelope(await translateErrors(this.sentAttachments.list(accountId, id, page)), (record) => record);
  }

  /** One attachment. @throws ApiError as `GET /emails/:id/attachments/:attachment_id` does: also 404 without it */
  async attachment(accountId: string, emailId: string, id: string): Promise<SingleAttachmentDto> {
    checkAccountId(accountId);
    return translateErrors(this.sentAttachments.find(accountId, readId(emailId), readId(id)));
  }

  /**
   * The bytes of an attachment of an email of this account, streamed from the storage. Read it completely, or destroy
   * it.
   *
   * @throws ApiError 404 without the email or the attachment
   */
  async openAttachment(accountId: string, emailId: string, id: string): Promise<Readable> {
    checkAccountId(accountId);
    return translateErrors(this.sentAttachments.open(accountId, readId(emailId), readId(id)));
  }

  /**
   * Creates a link to a page that shows an email of this account to everyone with the link.
   *
   * @throws ApiError as `POST /emails/:id/share` does: 404 without the email, 422 when links cannot be made
   */
  async share(accountId: string, emailId: string, options: ShareEmailDto = {}): Promise<SharedEmailDto> {
    checkAccountId(accountId);
    return translateErrors(this.sharing.share(accountId, readId(emailId), options));
  }

  /**
   * The history of an email of this account, newest first, without events that retention deleted; undefined when there
   * is none with this id.
   *
   * @throws ApiError as `GET /emails/:id/events` does
   */
  async events(accountId: string, id: string, query: ListEventsQueryDto = {}): Promise<EmailEventListDto | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    return translateErrors(this.timeline.events(accountId, id, toEventsRequest(query)));
  }

  /** The state of each recipient of an email of this account; undefined when there is none with this id. */
  async recipients(accountId: string, id: string): Promise<EmailRecipientListDto | undefined> {
    checkAccountId(accountId);
    if (!isUuid(id)) return undefined;
    return translateErrors(this.timeline.recipients(accountId, id));
  }

  /**
   * Numbers of outcomes of this account's emails: recipients, by the time of the event.
   *
   * @throws ApiError as `GET /emails/metrics` does
   */
  async metrics(accountId: string, query: MetricsQueryDto = {}): Promise<EmailMetricsDto> {
    checkAccountId(accountId);
    return translateErrors(this.counted.metrics(accountId, query));
  }

  /**
   * Erases a person from all of the account's emails so far and from the data of the `personErasers`, as `POST
   * /erasures` does. Resolves as soon as the request is committed; workers carry it out.
   *
   * @param email one address, without a name
   * @throws ApiError 422 when it is not an address
   */
  async erase(accountId: string, email: string): Promise<ErasureDto> {
    checkAccountId(accountId);
    return translateErrors(this.erasures.create(accountId, { email }));
  }

  /** An erasure of this account; undefined when there is none with this id. */
  async erasure(accountId: string, id: string): Promise<ErasureDto | undefined> {
    checkAccountId(accountId);
    return translateErrors(this.erasures.find(accountId, id));
  }

  /**
   * Keeps mail back: of an account, of a topic, from a template, or all; with `transport`, only that mail through this
   * transport, while others may take it. Emails are accepted and stay `queued`, with `held`, until `resume`. It
   * resolves after about a second: from then on, no process begins to send one; messages on the wire end. A second call
   * changes the reason.
   *
   * @param pause `reason`: up to 500 characters, the rest is cut. At most one of `account`, `topic` and `template`
   * @throws ApiError 503 when another transaction has locked the pause, or the database cannot be reached
   * @throws TypeError when a part of it is invalid
   * @throws Error for an unknown option
   *
   * @example
   * ```ts
   * const emails = app.get(EmailsService);
   * await emails.pause({ account: 'acme', reason: 'Its list is not its own.' });
   * await emails.resume({ account: 'acme' });
   * ```
   */
  async pause(pause: NewPause): Promise<void> {
    return translateErrors(this.mailPauses.pause(checkPause(pause)));
  }

  /**
   * Ends one pause, if there is one with exactly this target; without a target, the pause of all mail. Its due emails
   * are sent, except those that another pause keeps.
   *
   * @throws ApiError 503 when the pause or an email of it is locked, or the database cannot be reached: call it again
   * @throws TypeError when a part of the target is invalid
   * @throws Error for an unknown option
   */
  async resume(target: PauseTarget = {}): Promise<void> {
    return translateErrors(this.mailPauses.resume(checkTarget(target)));
  }

  /** All pauses, holds of accounts included, the oldest first. */
  async pauses(): Promise<Pause[]> {
    return translateErrors(this.mailPauses.list());
  }

  /** The kinds of mail that are paused, without ids and reasons: for health. */
  async pausedParts(): Promise<PausedPart[]> {
    return translateErrors(this.mailPauses.parts());
  }

  /**
   * The mail that would leave if this pause ended now: emails that are due, except those that another pause of all
   * transports keeps. Without a target, it is that of the pause of all mail.
   *
   * @throws ApiError 503 when the database cannot be reached
   * @throws TypeError when a part of the target is invalid
   * @throws Error for an unknown option
   */
  async pausedMail(target: PauseTarget = {}): Promise<PausedMail> {
    return translateErrors(this.mailPauses.mail(checkTarget(target)));
  }

  /**
   * Pauses the mail of an account, as `pause({ account, reason })` does.
   *
   * @param reason up to 500 characters, shown as `held` of its emails
   * @throws ApiError 503 when the database cannot be reached
   * @throws TypeError when the account id is invalid
   */
  async hold(accountId: string, reason: string): Promise<void> {
    checkAccountId(accountId);
    return this.pause({ account: accountId, reason });
  }

  /**
   * Ends the hold of an account, as `resume({ account })` does.
   *
   * @throws ApiError 503 when the pause or an email of it is locked, or the database cannot be reached: call it again
   * @throws TypeError when the account id is invalid
   */
  async release(accountId: string): Promise<void> {
    checkAccountId(accountId);
    return this.resume({ account: accountId });
  }

  /** The held accounts, the longest held first. */
  async holds(): Promise<AccountHold[]> {
    return (await this.pauses()).flatMap(({ account, transport, since, reason }) =>
      account === undefined || transport !== undefined ? [] : [{ accountId: account, since, reason }],
    );
  }

  /**
   * Ends the deliveries of this process, for a deploy: it takes no email any more, and finishes those on the wire. Other
   * processes send the rest. It goes on to accept emails, and to serve requests. It delivers nothing until its
   * next start, and may shut down at once.
   *
   * @param options `until`: when to stop waiting
   * @returns the work that is left when nothing is in progress here, at `until` at the latest
   * @throws ApiError 503 when the database cannot be reached; the deliveries end all the same
   * @throws TypeError when `until` is not a valid date
   *
   * @example
   * ```ts
   * const emails = app.get(EmailsService);
   * const { inProgress } = await emails.drain({ until: new Date(Date.now() + 30_000) });
   * if (inProgress === 0) await app.close();
   * ```
   */
  async drain(options: DrainOptions): Promise<Drained> {
    checkDrain(options);
    const { until } = options;
    if (!(until instanceof Date) || Number.isNaN(until.getTime())) throw new TypeError('`until` must be a valid date.');
    return translateErrors(this.deliveries.drain(until));
  }

  /**
   * Starts an action on many emails of this account, as `POST /emails/actions` does. Resolves as soon as it is
   * committed; workers carry it out.
   *
   * @throws ApiError 422 when a rule is broken, or more emails match than the limit
   */
  async startAction(
    accountId: string,
    request: StartActionDto,
    options: Pick<SendOptions, 'idempotencyKey' | 'key'> = {},
  ): Promise<StartedActionDto> {
    checkAccountId(accountId);
    checkStartAction(options);
    return (await translateErrors(this.actions.start(accountId, request, options))).action;
  }

  /** An action of this account and its progress; undefined when there is none with this id. */
  async action(accountId: string, id: string): Promise<EmailActionDto | undefined> {
    checkAccountId(accountId);
    return translateErrors(this.actions.find(accountId, id));
  }

  /**
   * All emails of this account that match the filters, newest first, as the text of a CSV file; `limit`, `after` and
   * `before` have no meaning here. A page is read when the previous one was taken: read it completely, or destroy it.
   *
   * @throws ApiError 422 as `GET /emails/export` does
   */
  async export(accountId: string, query: ListEmailsQueryDto = {}): Promise<Readable> {
    checkAccountId(accountId);
    return Readable.from(await translateErrors(this.exports.open(accountId, toEmailFilters(query))));
  }

  private async join({ transaction, ...options }: SendOptions): Promise<AcceptanceOptions> {
    if (transaction === undefined) return options;
    return { ...options, transaction: await this.transactions.join(transaction) };
  }
}

/** Errors that HTTP answers with 503 and 422 become an `ApiError` here too. Any other is the database's own. */
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
