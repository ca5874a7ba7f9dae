import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { Permission } from '../../shared/callers/caller.js';
import { AccountRows } from '../../shared/rows/account-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { type ListEnvelope, type PageRequest, toEnvelope } from '../../shared/rows/page.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { generateToken, hashToken } from '../auth/token.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** An entry of the list. Timestamps as the contract writes them. */
export interface ApiKeyRecord {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** A key that was just made. */
export interface NewApiKey {
  id: string;
  /** Shown only now. */
  token: string;
}

/** $1: id, $2: account, $3: name, $4: hash. TypeORM has no condition for what an upsert may take over. */
const REGISTER = `
INSERT INTO ${SCHEMA}.api_keys AS known (id, account_id, name, permission, token_hash)
VALUES ($1, $2, $3, 'full_access', $4)
ON CONFLICT (token_hash) DO UPDATE SET permission = 'full_access', revoked_at = NULL
WHERE known.account_id = EXCLUDED.account_id
RETURNING id`;

/** The keys of the accounts. Only hashes of tokens are stored. */
@Injectable()
export class ApiKeysService {
  private readonly keys: AccountRows<ApiKeyEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.keys = new AccountRows(dataSource, ApiKeyEntity);
  }

  /**
   * A new key of the account.
   *
   * @param manager of a transaction that it joins
   */
  async create(
    accountId: string,
    { name, permission }: { name: string; permission: Permission },
    manager?: EntityManager,
  ): Promise<NewApiKey> {
    const id = randomUUID();
    const token = generateToken();
    await this.keys.insert({ id, accountId, name, permission, tokenHash: hashToken(token) }, manager);
    return { id, token };
  }

  /**
   * Makes a given token a full-access key of the account, whether it was one before or not.
   *
   * @returns false when another account has it
   */
  async register(accountId: string, name: string, token: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(REGISTER, [randomUUID(), accountId, name, hashToken(token)]);
    return rows.length > 0;
  }

  /** True for a token that was a key, and is one no more. */
  isRevoked(token: string): Promise<boolean> {
    const revoked = { tokenHash: hashToken(token), revokedAt: Not(IsNull()) };
    return onMaster(this.dataSource, (manager) => manager.existsBy(ApiKeyEntity, revoked));
  }

  /** The keys that are not revoked, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, page: PageRequest): Promise<ListEnvelope<ApiKeyRecord>> {
    return toEnvelope(await this.keys.page(accountId, page, { where: 'revoked_at IS NULL' }), shown);
  }

  /** Ends a key, on every process within a second. @returns false when the account has no such key */
  async revoke(accountId: string, id: string): Promise<boolean> {
    const valid = { id, accountId, revokedAt: IsNull() };
    const { affected } = await this.dataSource.manager.update(ApiKeyEntity, valid, { revokedAt: () => 'now()' });
    return (affected ?? 0) > 0;
  }
}

function shown({ id, name, createdText, lastUsedText }: ApiKeyEntity): ApiKeyRecord {
  return { id, name, created_at: createdText, last_used_at: lastUsedText };
}
