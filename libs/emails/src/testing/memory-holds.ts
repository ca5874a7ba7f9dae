import type { AccountHold, HoldStore, ReleasedHold } from '../emails/storage/deliver/hold.repository.js';

/** Keeps holds in memory. Nothing is sent there anyway. */
export class MemoryHolds implements HoldStore {
  private readonly holds = new Map<string, AccountHold>();

  async hold(accountId: string, reason: string): Promise<void> {
    this.holds.set(accountId, { accountId, since: this.holds.get(accountId)?.since ?? new Date(), reason });
  }

  async release(accountId: string): Promise<ReleasedHold> {
    this.holds.delete(accountId);
    return { kind: 'released', emails: [] };
  }

  async list(): Promise<AccountHold[]> {
    return [...this.holds.values()];
  }
}
