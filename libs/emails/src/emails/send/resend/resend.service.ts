import { Inject, Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { Caller } from '../../../shared/callers/caller.js';
import { ApiError } from '../../../shared/errors/api-error.js';
import { traced } from '../../../shared/tracing/tracing.js';
import type { SenderKey } from '../../ports/sender-policy.js';
import { AnswerRepository, type AnswerStore } from '../../storage/accept/answer.repository.js';
import type { Acceptance, AcceptanceOptions } from '../acceptance.service.js';
import { AnswersService, type Made } from '../answers/answers.service.js';
import { hashRequest } from '../idempotency/request-hash.js';
import { Quotas } from '../quotas/quotas.js';
import { readScheduledAt } from '../request/is-scheduled-at.js';
import { SearchWords } from '../search-words.js';
import { SenderPolicies } from '../sender-policies.js';
import { copyOf } from './copy-of.js';
import type { ResendEmailDto } from './resend-email.dto.js';

/** How an email is sent again. */
interface ResendOptions extends Pick<AcceptanceOptions, 'idempotencyKey' | 'key'> {
  /** The caller who asked for it, to be recorded. */
  caller?: Caller | undefined;
  /** Retention of the idempotency key, in milliseconds. Default: the host's. */
  retention?: number | undefined;
  /** True if the new email belongs into the lane `bulk`. Default: into that of the first. */
  isBulk?: boolean | undefined;
}

/**
 * Sends an email again, as a new one: the records of the first stay true, and mail systems do not treat it as a
 * duplicate.
 */
@Injectable()
export class ResendService {
  constructor(
    private readonly answers: AnswersService,
    @Inject(AnswerRepository) private readonly repository: Pick<AnswerStore, 'findSource'>,
    private readonly senders: SenderPolicies,
    private readonly searchWords: SearchWords,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Resolves once the new email is committed.
   *
   * @param id of an email, a UUID
   * @throws ApiError 404 when the account has no such email, or when the request is refused
   */
  resend(
    accountId: string,
    id: string,
    request: ResendEmailDto,
    { idempotencyKey: key, key: sender, caller, retention, isBulk }: ResendOptions = {},
  ): Promise<Acceptance> {
    const now = new Date();
    return traced('emails.resend', { kind: SpanKind.INTERNAL }, async (span) => {
      const endpoint = `/emails/${id.toLowerCase()}/resend`;
      const asked = { accountId, endpoint, key, retention, hash: () => hashRequest(request) };
      const action = caller && { caller, action: 'email.resend' as const, ids: [id.toLowerCase()] };
      const { answer, replayed } = await this.answers.answer(asked, async () => ({
        ...(await this.make(accountId, id, request, { now, sender, isBulk })),
        action,
      }));
      const { id: emailId } = answer as { id: string };
      span.setAttributes({ 'emails.email_id': emailId, 'emails.replayed': replayed });
      return { id: emailId, replayed };
    });
  }

  private async make(
    accountId: string,
    id: string,
    request: ResendEmailDto,
    { now, sender, isBulk }: { now: Date; sender: SenderKey | undefined; isBulk: boolean | undefined },
  ): Promise<Made> {
    const { recipients, scheduled_at } = request;
    const scheduledAt = scheduled_at === undefined ? null : await readScheduledAt(scheduled_at, now);
    const source = await this.repository.findSource(accountId, id);
    if (!source) throw ApiError.notFound('Email not found');
    const copy = copyOf(source, accountId, recipients, scheduledAt, this.searchWords);
    await this.quotas.check(accountId, () => copy.recipients.length);
    const email = { ...copy, ...(isBulk && { isBulk }), ...(await this.senders.check(accountId, copy.from, sender)) };
    return { emails: [email], answer: { id: email.id }, source };
  }
}
