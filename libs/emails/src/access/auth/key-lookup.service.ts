import { Injectable } from '@nestjs/common';
import { DataSource, In, IsNull } from 'typeorm';
import type { Caller } from '../../shared/callers/caller.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { GroupedLookup } from './grouped-lookup.js';
import { LookupCache } from './lookup-cache.js';
import { hashToken } from './token.js';

/** A key that is valid, and for whom it speaks. */
export interface KnownKey {
  id: string;
  caller: Caller;
}

/** A revoked key stops working within this time on every process; half of the second that is promised. */
const TTL = 500;

const CAPACITY = 10_000;

/** For who is held back: 20 queries a second and process at most, whatever they ask for. */
const GROUPS = { maxSize: 1_000, pace: 50 };

/** Finds keys by their token. */
@Injectable()
export class KeyLookupService {
  private readonly cache = new LookupCache<KnownKey>({ ttl: TTL, capacity: CAPACITY });

  private readonly grouped = new GroupedLookup<KnownKey>((hashes) => this.query(hashes), GROUPS);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param isHeldBack asked when the token is not remembered: whether it is looked up together with those of all others
   * who are held back
   * @returns null for a token that is unknown or revoked
   */
  find(token: string, isHeldBack: () => Promise<boolean>): Promise<KnownKey | null> {
    const hash = hashToken(token).toString('hex');
    return this.cache.find(hash, async () => ((await isHeldBack()) ? this.grouped.find(hash) : this.findOne(hash)));
  }

  /** Makes what was just revoked or made known count at once in this process. */
  forgetAll(): void {
    this.cache.clear();
  }

  private async findOne(hash: string): Promise<KnownKey | null> {
    return (await this.query([hash])).get(hash) ?? null;
  }

  /** @param hashes in hexadecimal */
  private async query(hashes: readonly string[]): Promise<Map<string, KnownKey>> {
    const tokenHash = In(hashes.map((hash) => Buffer.from(hash, 'hex')));
    const keys = await onMaster(this.dataSource, (manager) =>
      manager.find(ApiKeyEntity, {
        select: { id: true, accountId: true, permission: true, tokenHash: true },
        where: { tokenHash, revokedAt: IsNull() },
      }),
    );
    return new Map(
      keys.map(({ id, accountId, permission, tokenHash }) => [
        tokenHash.toString('hex'),
        { id, caller: { accountId, permission } },
      ]),
    );
  }
}
