import { Inject, Injectable } from '@nestjs/common';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { type AccountHold, HoldRepository, type HoldStore } from '../storage/deliver/hold.repository.js';
import { Persistence } from './persistence.js';

/** Released emails that are sent at once; the sweep finds the others. */
const WOKEN = 1_000;

/** Holds back the emails of accounts. Workers ask when they lease an email. */
@Injectable()
export class HoldsService {
  constructor(
    @Inject(HoldRepository) private readonly repository: HoldStore,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'wake'>,
    private readonly persistence: Persistence,
  ) {}

  hold(accountId: string, reason: string): Promise<void> {
    return this.repository.hold(accountId, storableText(reason, MAX_REASON));
  }

  /** @throws ApiError 503 when an email of the account is locked, or the database is away */
  async release(accountId: string): Promise<void> {
    const { result } = await this.persistence.make(() => this.repository.release(accountId, WOKEN));
    for (const { emailId, fence } of result.emails) this.queue.wake({ accountId, emailId, fence, delay: 0 });
  }

  list(): Promise<AccountHold[]> {
    return this.repository.list();
  }
}
