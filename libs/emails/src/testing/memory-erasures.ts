import { randomUUID } from 'node:crypto';
import type { ErasureStore } from '../emails/storage/erase/erasure.repository.js';

/** Reports every erasure as finished: a test stores no personal data. */
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
