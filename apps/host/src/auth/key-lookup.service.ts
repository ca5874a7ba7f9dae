import { Injectable } from '@nestjs/common';
import type { Caller, Permission } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { hashToken } from '../api-keys/token.js';
import { LookupCache } from './lookup-cache.js';

/** A key that is valid, and for whom it speaks. */
export interface KnownKey {
  id: string;
  caller: Caller;
}

/** A revoked key stops working within this time on every process; half of the second that is promised. */
const TTL = 500;

const CAPACITY = 10_000;

/** Finds keys by their token. */
@Injectable()
export class KeyLookupService {
  private readonly cache = new LookupCache<KnownKey>({ ttl: TTL, capacity: CAPACITY });

  constructor(private readonly dataSource: DataSource) {}

  /** @returns null for a token that is unknown or revoked */
  find(token: string): Promise<KnownKey | null> {
    const hash = hashToken(token);
    return this.cache.find(hash, () => this.query(hash));
  }

  /** Makes what was just revoked or made known count at once in this process. */
  forgetAll(): void {
    this.cache.clear();
  }

  private async query(hash: string): Promise<KnownKey | null> {
    const [row] = await this.dataSource.query<{ id: string; account_id: string; permission: Permission }[]>(
      'SELECT id, account_id, permission FROM api_keys WHERE token_hash = $1 AND revoked_at IS NULL',
      [Buffer.from(hash, 'hex')],
    );
    return row === undefined ? null : { id: row.id, caller: { accountId: row.account_id, permission: row.permission } };
  }
}
