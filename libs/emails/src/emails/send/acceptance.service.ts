import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { refuseTaken } from '../../shared/rows/refuse-taken.js';
import { traced } from '../../shared/tracing/tracing.js';
import type { MemoryShare } from '../../shared/work/request-memory.js';
import {
  type EmailStore,
  hasGivenMessageId,
  type IdempotencyClaim,
  type NewEmail,
} from '../storage/email.repository.js';
import type { AfterCommit } from './after-commit.js';
import type { AttachmentResolver } from './attachments/attachment-resolver.js';
import type { EmailComposer } from './email-composer.js';
import { TAKEN_MESSAGE_ID } from './given-message-ids.js';
import { checkKey } from './idempotency/check-key.js';
import { hashRequest } from './idempotency/request-hash.js';
import type { EmailRequest } from './request/email-request.js';
import { EmailWriter } from './write/email-writer.js';

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
  /** A transaction of the host's, which the email joins. Default: its own, shared with concurrent requests. */
  manager?: EntityManager | undefined;
  /** What the request has in memory, until it is answered. */
  memory?: MemoryShare | undefined;
}

/** Makes a committed email of a valid request, or refuses it with nothing written. */
@Injectable()
export class AcceptanceService {
  private readonly writer: EmailWriter;

  constructor(
    private readonly repository: EmailStore,
    private readonly composer: EmailComposer,
    private readonly resolver: AttachmentResolver,
    private readonly afterCommit: AfterCommit,
    private readonly rules: AcceptanceRules,
  ) {
    this.writer = new EmailWriter(repository);
  }

  /**
   * Resolves once the email is committed, or written within `manager`'s transaction. From its commit on it is delivered,
   * or ends in a terminal event.
   *
   * @throws ApiError when the request is refused
   */
  accept(accountId: string, request: EmailRequest, options: AcceptanceOptions = {}): Promise<Acceptance> {
    return traced('emails.accept', { kind: SpanKind.INTERNAL }, async (span) => {
      const acceptance = await this.acceptOnce(accountId, request, new Date(), options);
      span.setAttributes({ 'emails.email_id': acceptance.id, 'emails.replayed': acceptance.replayed });
      return acceptance;
    });
  }

  private async acceptOnce(
    accountId: string,
    request: EmailRequest,
    now: Date,
    options: AcceptanceOptions,
  ): Promise<Acceptance> {
    const { idempotencyKey, manager, memory } = options;
    const started = performance.now();
    const claim = await this.claim(request, idempotencyKey);
    const earlier = claim && (await this.findAnswer(accountId, claim, manager));
    if (earlier) return earlier;

    const templates = request.template && this.composer.templatesOf(accountId);
    try {
      await templates?.prepare([request], rethrow);
      const email = await this.composer.compose(accountId, request, {
        now,
        claim,
        manager,
        templates,
        attach: (requests, textSize) => this.resolver.resolve(accountId, requests, textSize, manager, memory),
      });
      if (await this.write(email, started, manager)) return { id: email.id, replayed: false };
    } finally {
      templates?.close();
    }
    // A parallel request with the same key was first. Its key may have expired since, then this one is new again.
    return (
      (claim && (await this.findAnswer(accountId, claim, manager))) ?? this.acceptOnce(accountId, request, now, options)
    );
  }

  /** False when the email's idempotency key is taken. */
  private async write(email: NewEmail, started: number, manager: EntityManager | undefined): Promise<boolean> {
    const writing = manager ? this.repository.acceptWithin(manager, email) : this.writer.write(email);
    const result = await (hasGivenMessageId(email) ? refuseTaken(writing, TAKEN_MESSAGE_ID) : writing);
    if (!result.accepted) return false;
    this.afterCommit.tell([email], [result], started, manager);
    return true;
  }

  private async claim(request: EmailRequest, key: string | undefined): Promise<IdempotencyClaim | null> {
    if (key === undefined) return null;
    checkKey(key);
    return { key, requestHash: await hashRequest(request), retention: this.rules.idempotencyRetention };
  }

  private async findAnswer(
    accountId: string,
    claim: IdempotencyClaim,
    manager: EntityManager | undefined,
  ): Promise<Acceptance | undefined> {
    const answer = await this.repository.findAnswer(accountId, claim.key, manager);
    if (!answer) return undefined;
    if (answer.requestHash !== claim.requestHash) throw ApiError.idempotencyConflict();
    return { id: answer.emailId, replayed: true };
  }
}

function rethrow(_request: EmailRequest, error: unknown): never {
  throw error;
}
