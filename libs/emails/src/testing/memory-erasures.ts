import { randomUUID } from 'node:crypto';
import type { ErasureStore } from '../emails/storage/erasure.repository.js';

/** Takes every erasure for finished: a test has no people. */
export class MemoryErasures implements ErasureStore {
  private readonly owners = new Map<string, string>();

  async create(accountId: string): Promise<string> {
    const id = randomUUID();
    this.owners.set(id, accountId);
    return id;
  }

  async find(accountId: string, id: string): Promise<{ id: string; finished: boolean } | undefined> {
    return this.owners.get(id) === accountId ? { id, finished: true } : undefined;
  }
}
