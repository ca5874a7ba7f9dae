import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller, Permission } from '../../shared/callers/caller.js';
import { SCHEMA } from '../../shared/rows/schema.js';
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

/** $1: hashes. Asked before every request whose key is not remembered, at a fifth of what a find of the entity costs. */
const FIND = `
SELECT id, account_id, permission, token_hash FROM ${SCHEMA}.api_keys
WHERE token_hash = ANY ($1::bytea[]) AND revoked_at IS NULL`;

interface FoundKey {
  id: string;
  account_id: string;
  permission: Permission;
  token_hash: Buffer;
}

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
    const keys = await this.dataSource.query<FoundKey[]>(FIND, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    return new Map(
      keys.map(({ id, account_id: accountId, permission, token_hash: hash }) => [
        hash.toString('hex'),
        { id, caller: { accountId, permission } },
      ]),
    );
  }
}
