import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isUniqueViolation } from '../../../shared/errors/database-errors.js';
import { refuseDuplicate } from '../../../shared/rows/refuse-duplicate.js';
import {
  type AnswerClaim,
  AnswerRepository,
  type AnswerResult,
  type AnswerStore,
  type KeptAnswer,
  type NewAnswer,
} from '../../storage/accept/answer.repository.js';
import { hasGivenMessageId } from '../../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../../storage/accept/transactions.js';
import { ACCEPTANCE_RULES, type AcceptanceRules } from '../acceptance.service.js';
import { AfterCommit } from '../after-commit.js';
import { MESSAGE_ID_IN_USE } from '../given-message-ids.js';
import { checkKey } from '../idempotency/check-key.js';
import { AnswerWriter } from '../write/answer-writer.js';

/** A request with one idempotency key for the whole. */
export interface AnswerRequest {
  accountId: string;
  /** Its path. Keys belong to an account and an endpoint. */
  endpoint: string;
  /** Undefined: no key was given. */
  key: string | undefined;
  /** Computes the meaning of the request on demand. */
  hash: () => Promise<string>;
  /** Retention of the key, in milliseconds. Default: the host's. */
  retention?: number | undefined;
  /** A transaction of the host that the emails join. */
  transaction?: JoinedTransaction | undefined;
}

export interface Answered {
  /** The body. */
  answer: object;
  /** True when an earlier request with the same idempotency key got it. */
  replayed: boolean;
}

/** Rows written together with the claim of the key. */
export type Made = Pick<NewAnswer, 'emails' | 'answer' | 'source' | 'action'>;

/** Answers a request whose emails are written all or none, once for each key. */
@Injectable()
export class AnswersService {
  private readonly writer: AnswerWriter;

  constructor(
    @Inject(AnswerRepository) private readonly repository: AnswerStore,
    private readonly afterCommit: AfterCommit,
    @Inject(ACCEPTANCE_RULES) private readonly rules: AcceptanceRules,
  ) {
    this.writer = new AnswerWriter(repository);
  }

  /**
   * Resolves once the emails are committed, or written within the host's transaction.
   *
   * @param make refuses the request, or makes its emails; called again when a conflict prevented their write
   * @throws ApiError when the request is refused
   */
  async answer(request: AnswerRequest, make: () => Promise<Made>): Promise<Answered> {
    const started = performance.now();
    const { accountId, transaction } = request;
    const idempotency = await this.claim(request);
    for (;;) {
      const earlier = idempotency && (await this.repository.findAnswer(accountId, idempotency, transaction));
      if (earlier) return replay(earlier, idempotency);
      const made = await make();
      if (await this.write({ accountId, idempotency, ...made }, started, transaction)) {
        return { answer: made.answer, replayed: false };
      }
      // A parallel request with the same key was first. If its key has expired since, this request is new again.
    }
  }

  private async claim({
    endpoint,
    key,
    hash,
    retention = this.rules.idempotencyRetention,
  }: AnswerRequest): Promise<AnswerClaim | null> {
    if (key === undefined) return null;
    checkKey(key);
    return { endpoint, key, requestHash: await hash(), retention };
  }

  /** False when the key is in use, or the input of the emails has changed. */
  private async write(
    answer: NewAnswer,
    started: number,
    transaction: JoinedTransaction | undefined,
  ): Promise<boolean> {
    const { emails, idempotency } = answer;
    if (emails.length === 0 && !idempotency) return true;
    const result = await this.writeOnce(answer, transaction);
    if (result.accepted) this.afterCommit.notify(emails, result.emails, started, transaction);
    return result.accepted;
  }

  /**
   * Making the emails again detects a message id that another request used meanwhile; the host's transaction may not
   * see it.
   */
  private async writeOnce(
    answer: NewAnswer,
    transaction: JoinedTransaction | undefined,
  ): Promise<{ accepted: false } | AnswerResult> {
    if (!answer.emails.some(hasGivenMessageId)) {
      return transaction ? this.repository.acceptWithin(transaction, answer) : this.writer.write(answer);
    }
    if (transaction) return refuseDuplicate(this.repository.acceptWithin(transaction, answer), MESSAGE_ID_IN_USE);
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
