import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { Permission } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { ALL, type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { asId } from '../../shared/rows/account-row.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { readChanges, readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { KeyLookupService } from '../auth/key-lookup.service.js';
import { generateToken, hashToken, isToken } from '../auth/token.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { apiKeyChanges, newApiKey } from './api-key.fields.js';

/** An entry of the list. Timestamps as the contract writes them. */
export interface ApiKeyRecord {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** A key that is to be made. */
export interface ApiKeyValues {
  /** One line of 1 to 50 characters. */
  name: string;
  /** Default: `full_access`. */
  permission?: Permission | null | undefined;
}

/** Undefined, null and empty: as it is. */
export interface ApiKeyChanges {
  /** One line of 1 to 50 characters. */
  name?: string | null | undefined;
}

/** A key that was just made. */
export interface NewApiKey {
  object: 'api_key';
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

/**
 * The keys of the accounts, by the rules of `/api-keys`. Only hashes of tokens are stored. A value that breaks a rule is
 * refused with an `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class ApiKeysService {
  private readonly keys: AccountRows<ApiKeyEntity>;

  /** @param lookup which remembers keys; a process that only makes them has none */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(KeyLookupService) private readonly lookup?: { forgetAll(): void },
  ) {
    this.keys = new AccountRows(dataSource, ApiKeyEntity);
  }

  /**
   * A new key of the account.
   *
   * @param manager of a transaction that it joins
   */
  async create(accountId: string, key: ApiKeyValues, manager?: EntityManager): Promise<NewApiKey> {
    checkAccountId(accountId);
    const { name, permission = 'full_access' } = readValues(key, newApiKey);
    const id = randomUUID();
    const token = generateToken();
    await this.keys.insert({ id, accountId, name, permission, tokenHash: hashToken(token) }, manager);
    return { object: 'api_key', id, token };
  }

  /**
   * Makes a given token a full-access key of the account, whether it was one before or not.
   *
   * @param name one line of 1 to 50 characters
   * @returns false when another account has it
   * @throws ApiError 422 for a token that `TOKEN_PATTERN` does not let pass
   */
  async register(accountId: string, name: string, token: string): Promise<boolean> {
    checkAccountId(accountId);
    readValues({ name }, newApiKey);
    if (!isToken(token)) throw ApiError.invalid('`token` must have 8 to 256 of `A-Z a-z 0-9 . _ ~ + / = -`.');
    const rows = await this.dataSource.query<unknown[]>(REGISTER, [randomUUID(), accountId, name, hashToken(token)]);
    this.forget();
    return rows.length > 0;
  }

  /** True for a token that was a key, and is one no more. */
  async isRevoked(token: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const revoked = { tokenHash: hashToken(token), revokedAt: Not(IsNull()) };
    return onMaster(this.dataSource, (manager) => manager.existsBy(ApiKeyEntity, revoked));
  }

  /** The keys that are not revoked, newest first: all, up to 1,000. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<ApiKeyRecord>> {
    checkAccountId(accountId);
    const page = toPageRequest(query, ALL);
    return toEnvelope(await this.keys.page(accountId, page, { where: 'revoked_at IS NULL' }), shown);
  }

  /** The key with its new name; undefined when the account has no such key. */
  async rename(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKeyRecord | undefined> {
    checkAccountId(accountId);
    const { name, id: own, api_key_id } = readChanges(changes, apiKeyChanges);
    checkRepeated({ id: own, api_key_id }, isSameId(id));
    const known = asId(id);
    const columns = given({ name: name ?? undefined });
    const key = await this.keys.change(accountId, known && { ...known, revokedAt: IsNull() }, columns);
    return key && shown(key);
  }

  /** Ends a key, in this process at once, on every other within a second. @returns false when the account has no such key */
  async revoke(accountId: string, id: string): Promise<boolean> {
    checkAccountId(accountId);
    if (!isUuid(id)) return false;
    const valid = { id, accountId, revokedAt: IsNull() };
    const revoked = this.dataSource
      .createQueryBuilder()
      .update(ApiKeyEntity)
      .set({ revokedAt: () => 'now()' });
    const { affected } = await revoked.where(valid).callListeners(false).execute();
    this.forget();
    return (affected ?? 0) > 0;
  }

  /** @internal Makes what was just revoked or made known count at once in this process. */
  forget(): void {
    this.lookup?.forgetAll();
  }
}

function shown({ id, name, createdText, lastUsedText }: ApiKeyEntity): ApiKeyRecord {
  return { id, name, created_at: createdText, last_used_at: lastUsedText };
}
