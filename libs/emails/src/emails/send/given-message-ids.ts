import { ApiError } from '../../shared/errors/api-error.js';
import type { EmailStore } from '../storage/email.repository.js';

/** The email's id, in a message id that was made. */
const MADE_OF = /^<([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/i;

export const TAKEN_MESSAGE_ID = '`message_id` must be unique: another email of this account has it.';

/** Whether message ids that callers give are free. */
export class GivenMessageIds {
  /** @param others those of the same request; undefined: whether one that was given before is free shows when it is written */
  constructor(
    private readonly store: Pick<EmailStore, 'findSeq' | 'isMessageIdGiven'>,
    private readonly others?: Set<string>,
  ) {}

  /** For the emails of one request, which one that is taken must not keep from being written. */
  forMany(): GivenMessageIds {
    return new GivenMessageIds(this.store, new Set());
  }

  /** @throws ApiError 422 */
  async check(accountId: string, messageId: string): Promise<void> {
    if (await this.isTaken(accountId, messageId)) throw ApiError.invalid(TAKEN_MESSAGE_ID);
    this.others?.add(messageId);
  }

  private async isTaken(accountId: string, messageId: string): Promise<boolean> {
    const [, id] = MADE_OF.exec(messageId) ?? [];
    if (id !== undefined && (await this.store.findSeq(accountId, id)) !== undefined) return true;
    if (this.others === undefined) return false;
    return this.others.has(messageId) || this.store.isMessageIdGiven(accountId, messageId);
  }
}
