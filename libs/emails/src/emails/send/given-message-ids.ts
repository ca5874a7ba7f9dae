import type { EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { type EmailStore, looksMade } from '../storage/email.repository.js';

export const TAKEN_MESSAGE_ID = '`message_id` must be unique: another email of this account has it.';

/** Whether message ids that callers give are free. */
export class GivenMessageIds {
  /** @param others those of the same request; undefined: one that was given before shows when the email is written */
  constructor(
    private readonly store: Pick<EmailStore, 'takenMessageIds'>,
    private readonly others?: Set<string>,
  ) {}

  /** For the emails of one request, which one that is taken must not keep from being written. */
  forMany(): GivenMessageIds {
    return new GivenMessageIds(this.store, new Set());
  }

  /** @throws ApiError 422 */
  async check(accountId: string, messageId: string, manager: EntityManager | undefined): Promise<void> {
    // Of those that were made, no index says that they are taken.
    if (this.others === undefined && !looksMade(messageId)) return;
    if (this.others?.has(messageId) || (await this.store.takenMessageIds(accountId, [messageId], manager)).size > 0) {
      throw ApiError.invalid(TAKEN_MESSAGE_ID);
    }
    this.others?.add(messageId);
  }
}
