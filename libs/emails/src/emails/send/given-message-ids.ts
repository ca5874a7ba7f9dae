import { ApiError } from '../../shared/errors/api-error.js';
import { type EmailStore, looksMade } from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';

export const MESSAGE_ID_IN_USE = '`message_id` must be unique: another email of this account has it.';

/** Checks that the message ids of callers are free. */
export class GivenMessageIds {
  /** @param others ids of the same request; undefined: the write detects a duplicate */
  constructor(
    private readonly store: Pick<EmailStore, 'takenMessageIds'>,
    private readonly others?: Set<string>,
  ) {}

  /** Checks the emails of one request up front, because one duplicate must not keep the others from being written. */
  forMany(): GivenMessageIds {
    return new GivenMessageIds(this.store, new Set());
  }

  /** @throws ApiError 422 */
  async check(accountId: string, messageId: string, transaction: JoinedTransaction | undefined): Promise<void> {
    // The unique index does not cover generated ids.
    if (this.others === undefined && !looksMade(messageId)) return;
    if (
      this.others?.has(messageId) ||
      (await this.store.takenMessageIds(accountId, [messageId], transaction)).size > 0
    ) {
      throw ApiError.invalid(MESSAGE_ID_IN_USE);
    }
    this.others?.add(messageId);
  }
}
