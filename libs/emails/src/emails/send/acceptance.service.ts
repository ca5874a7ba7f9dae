import { Inject, Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { ApiError } from '../../shared/errors/api-error.js';
import { refuseDuplicate } from '../../shared/rows/refuse-duplicate.js';
import { traced } from '../../shared/tracing/tracing.js';
import type { MemoryShare } from '../../shared/work/request-memory.js';
import type { SenderKey } from '../ports/sender-policy.js';
import {
  type EmailStore,
  EmailsRepository,
  hasGivenMessageId,
  type IdempotencyClaim,
  type NewEmail,
} from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';
import { AfterCommit } from './after-commit.js';
import { AttachmentResolver } from './attachments/attachment-resolver.js';
import { EmailComposer, envelopeOf } from './email-composer.js';
import { MESSAGE_ID_IN_USE } from './given-message-ids.js';
import { checkKey } from './idempotency/check-key.js';
import { hashRequest } from './idempotency/request-hash.js';
import { Quotas } from './quotas/quotas.js';
import type { SendEmailDto } from './request/send-email.dto.js';
import { EmailWriter } from './write/email-writer.js';

/** Injection token of `AcceptanceRules`. */
export const ACCEPTANCE_RULES = Symbol('nestjs-emails acceptance rules');

export interface AcceptanceRules {
  /** Milliseconds. */
  idempotencyRetention: number;
}

export interface Acceptance {
  id: string;
  /** True when an earlier request with the same idempotency key made this email. */
  replayed: boolean;
}

export interface AcceptanceOptions {
  idempotencyKey?: string | undefined;
  /** A transaction of the host that the email joins. Default: a separate one, shared with concurrent requests. */
  transaction?: JoinedTransaction | undefined;
  /** Memory that the request holds until it is answered. */
  memory?: MemoryShare | undefined;
  /** The request's API key, for sender policies. Default: none. */
  key?: SenderKey | undefined;
}

/** Turns a valid request into a committed email, or refuses it without writing anything. */
@Injectable()
export class AcceptanceService {
  private readonly writer: EmailWriter;

  constructor(
    @Inject(EmailsRepository) private readonly repository: EmailStore,
    private readonly composer: EmailComposer,
    private readonly resolver: AttachmentResolver,
    private readonly afterCommit: AfterCommit,
    private readonly quotas: Quotas,
    @Inject(ACCEPTANCE_RULES) private readonly rules: AcceptanceRules,
  ) {
    this.writer = new EmailWriter(repository);
  }

  /**
   * Resolves once the email is committed, or written within `transaction`. From its commit on it is delivered,
   * or ends in a terminal event.
   *
   * @throws ApiError when the request is refused
   */
  accept(accountId: string, request: SendEmailDto, options: AcceptanceOptions = {}): Promise<Acceptance> {
    return traced('emails.accept', { kind: SpanKind.INTERNAL }, async (span) => {
      const acceptance = await this.acceptOnce(accountId, request, new Date(), options);
      span.setAttributes({ 'emails.email_id': acceptance.id, 'emails.replayed': acceptance.replayed });
      return acceptance;
    });
  }

  private async acceptOnce(
    accountId: string,
    request: SendEmailDto,
    now: Date,
    options: AcceptanceOptions,
  ): Promise<Acceptance> {
    const { idempotencyKey, transaction, memory, key } = options;
    const started = performance.now();
    const claim = await this.claim(request, idempotencyKey);
    const earlier = claim && (await this.findAnswer(accountId, claim, transaction));
    if (earlier) return earlier;
    const first = this.quotas.check(accountId, () => envelopeOf(request).length, transaction);
    if (first) await first;

    const templates = request.template && this.composer.templatesOf(accountId);
    try {
      await templates?.prepare([request], rethrow);
      const email = await this.composer.compose(accountId, request, {
        now,
        claim,
        transaction,
        key,
        templates,
        attach: (requests, textSize, isAlone) =>
          this.resolver.resolve(accountId, requests, textSize, { isAlone, transaction, body: memory }),
      });
      if (await this.write(email, started, transaction)) return { id: email.id, replayed: false };
    } finally {
      templates?.close();
    }
    // A parallel request with the same key was first. If its key has expired since, this request is new again.
    return (
      (claim && (await this.findAnswer(accountId, claim, transaction))) ??
      this.acceptOnce(accountId, request, now, options)
    );
  }

  /** False when the email's idempotency key is in use. */
  private async write(email: NewEmail, started: number, transaction: JoinedTransaction | undefined): Promise<boolean> {
    const writing = transaction ? this.repository.acceptWithin(transaction, email) : this.writer.write(email);
    const result = await (hasGivenMessageId(email) ? refuseDuplicate(writing, MESSAGE_ID_IN_USE) : writing);
    if (!result.accepted) return false;
    this.afterCommit.notify([email], [result], started, transaction);
    return true;
  }

  private async claim(request: SendEmailDto, key: string | undefined): Promise<IdempotencyClaim | null> {
    if (key === undefined) return null;
    checkKey(key);
    return { key, requestHash: await hashRequest(request), retention: this.rules.idempotencyRetention };
  }

  private async findAnswer(
    accountId: string,
    claim: IdempotencyClaim,
    transaction: JoinedTransaction | undefined,
  ): Promise<Acceptance | undefined> {
    const answer = await this.repository.findAnswer(accountId, claim.key, transaction);
    if (!answer) return undefined;
    if (answer.requestHash !== claim.requestHash) throw ApiError.idempotencyConflict();
    return { id: answer.emailId, replayed: true };
  }
}

function rethrow(_request: SendEmailDto, error: unknown): never {
  throw error;
}
