import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isUniqueViolation } from '../../../shared/errors/database-errors.js';
import { refuseTaken } from '../../../shared/rows/refuse-taken.js';
import type { AnswerClaim, AnswerResult, AnswerStore, KeptAnswer, NewAnswer } from '../../storage/answer.repository.js';
import { hasGivenMessageId } from '../../storage/email.repository.js';
import type { AcceptanceRules } from '../acceptance.service.js';
import type { AfterCommit } from '../after-commit.js';
import { TAKEN_MESSAGE_ID } from '../given-message-ids.js';
import { checkKey } from '../idempotency/check-key.js';
import { AnswerWriter } from '../write/answer-writer.js';

/** A request that one idempotency key answers as a whole. */
export interface AnswerRequest {
  accountId: string;
  /** Its path. Keys are of an account and an endpoint. */
  endpoint: string;
  /** Undefined: none was given. */
  key: string | undefined;
  /** Says what the request means, where that is asked. */
  hash: () => Promise<string>;
  /** A transaction of the host's, which the emails join. */
  manager?: EntityManager | undefined;
}

export interface Answered {
  /** The body. */
  answer: object;
  /** True when an earlier request with the same idempotency key got it. */
  replayed: boolean;
}

/** What is written together with the claim of the key. */
export type Made = Pick<NewAnswer, 'emails' | 'answer' | 'source'>;

/** Gives the answer of a request whose emails are written all or none, once for each key. */
@Injectable()
export class AnswersService {
  private readonly writer: AnswerWriter;

  constructor(
    private readonly repository: AnswerStore,
    private readonly afterCommit: AfterCommit,
    private readonly rules: AcceptanceRules,
  ) {
    this.writer = new AnswerWriter(repository);
  }

  /**
   * Resolves once the emails are committed, or written within the host's transaction.
   *
   * @param make refuses the request, or makes its emails; called again when they could not be written as they were
   * @throws ApiError when the request is refused
   */
  async answer(request: AnswerRequest, make: () => Promise<Made>): Promise<Answered> {
    const started = performance.now();
    const { accountId, manager } = request;
    const idempotency = await this.claim(request);
    for (;;) {
      const earlier = idempotency && (await this.repository.findAnswer(accountId, idempotency, manager));
      if (earlier) return replay(earlier, idempotency);
      const made = await make();
      if (await this.write({ accountId, idempotency, ...made }, started, manager)) {
        return { answer: made.answer, replayed: false };
      }
      // A parallel request with the same key was first. Its key may have expired since, then this one is new again.
    }
  }

  private async claim({ endpoint, key, hash }: AnswerRequest): Promise<AnswerClaim | null> {
    if (key === undefined) return null;
    checkKey(key);
    return { endpoint, key, requestHash: await hash(), retention: this.rules.idempotencyRetention };
  }

  /** False when the key is taken, or what the emails were made of has changed. */
  private async write(answer: NewAnswer, started: number, manager: EntityManager | undefined): Promise<boolean> {
    const { emails, idempotency } = answer;
    if (emails.length === 0 && !idempotency) return true;
    const result = await this.writeOnce(answer, manager);
    if (result.accepted) this.afterCommit.tell(emails, result.emails, started, manager);
    return result.accepted;
  }

  /** A message id that somebody else took meanwhile is found when the emails are made again; the host's transaction may not see it. */
  private async writeOnce(
    answer: NewAnswer,
    manager: EntityManager | undefined,
  ): Promise<{ accepted: false } | AnswerResult> {
    if (!answer.emails.some(hasGivenMessageId)) {
      return manager ? this.repository.acceptWithin(manager, answer) : this.writer.write(answer);
    }
    if (manager) return refuseTaken(this.repository.acceptWithin(manager, answer), TAKEN_MESSAGE_ID);
    try {
      return await this.writer.write(answer);
    } catch (error) {
      if (isUniqueViolation(error)) return { accepted: false };
      throw error;
    }
  }
}

function replay({ answer, requestHash }: KeptAnswer, claim: AnswerClaim): Answered {
  if (requestHash !== claim.requestHash) throw ApiError.idempotencyConflict();
  return { answer, replayed: true };
}
