import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { ApiError } from '../../../shared/errors/api-error.js';
import { traced } from '../../../shared/tracing/tracing.js';
import type { AnswerStore } from '../../storage/answer.repository.js';
import type { Acceptance } from '../acceptance.service.js';
import type { AnswersService, Made } from '../answers/answers.service.js';
import { hashRequest } from '../idempotency/request-hash.js';
import { readScheduledAt } from '../request/scheduled-at.js';
import { copyOf } from './copy-of.js';
import type { ResendRequest } from './resend-fields.js';

/** Sends an email again, as a new one: what was recorded of the first stays true, and nobody takes it for a copy. */
@Injectable()
export class ResendService {
  constructor(
    private readonly answers: AnswersService,
    private readonly repository: Pick<AnswerStore, 'findSource'>,
  ) {}

  /**
   * Resolves once the new email is committed.
   *
   * @param id of an email, a UUID
   * @throws ApiError 404 when the account has no such email, or when the request is refused
   */
  resend(accountId: string, id: string, request: ResendRequest, key?: string): Promise<Acceptance> {
    const now = new Date();
    return traced('emails.resend', { kind: SpanKind.INTERNAL }, async (span) => {
      const endpoint = `/emails/${id.toLowerCase()}/resend`;
      const asked = { accountId, endpoint, key, hash: () => hashRequest(request) };
      const { answer, replayed } = await this.answers.answer(asked, () => this.make(accountId, id, request, now));
      const { id: emailId } = answer as { id: string };
      span.setAttributes({ 'emails.email_id': emailId, 'emails.replayed': replayed });
      return { id: emailId, replayed };
    });
  }

  private async make(accountId: string, id: string, request: ResendRequest, now: Date): Promise<Made> {
    const { recipients, scheduled_at } = request;
    const scheduledAt = scheduled_at === undefined ? null : await readScheduledAt(scheduled_at, now);
    const source = await this.repository.findSource(accountId, id);
    if (!source) throw ApiError.notFound('Email not found');
    const email = copyOf(source, accountId, recipients, scheduledAt);
    return { emails: [email], answer: { id: email.id }, source };
  }
}
