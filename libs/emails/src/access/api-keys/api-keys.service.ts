import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { DOMAIN_DIRECTORY, type DomainDirectory } from '../../index.js';
import type { Caller, Permission } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { ALL, type PageQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { callOptions } from '../../shared/options/call-options.js';
import { askedBy, given } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { toEnvelope } from '../../shared/rows/page.js';
import type { Transaction } from '../../shared/rows/sql-transaction.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { thisServerHasNo } from '../../shared/text/this-server-has-no.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { KeyLookupService } from '../auth/key-lookup.service.js';
import { generateToken, hashToken, isToken, tokenStart } from '../auth/token.js';
import type { ApiKeyDto } from './api-key.dto.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyListDto } from './api-key-list.dto.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { CreateApiKeyDto, type KeyRole } from './create-api-key.dto.js';
import type { NewApiKeyDto } from './new-api-key.dto.js';
import { UpdateApiKeyDto } from './update-api-key.dto.js';

/** A key that is to be made. */
export interface ApiKeyValues {
  /** One line of 1 to 50 characters. */
  name: string;
  /** Default: `full_access`. */
  permission?: Permission | null | undefined;
  /** For a key that opens the page alone: the role of its sessions. Not with `permission`. Default: a key of the API. */
  page_role?: KeyRole | null | undefined;
  /** Id of the only domain that it may send from. With `sending_access` alone. Default: any. */
  domain_id?: string | null | undefined;
}

/** Undefined, null and empty: as it is. */
export interface ApiKeyChanges {
  /** One line of 1 to 50 characters. */
  name?: string | null | undefined;
}

/** How a key is made. */
export interface CreateApiKeyOptions {
  /** The open transaction that the key joins. Default: a separate transaction. */
  transaction?: Transaction | undefined;
  /** The caller who asked for it, to be recorded as an action. Default: nothing is recorded. */
  caller?: Caller | undefined;
}

const checkCreate = callOptions<CreateApiKeyOptions>('ApiKeysService.create', { transaction: true, caller: true });

/**
 * The keys of the accounts, by the rules of `/api-keys`. Tokens are stored as hashes, with their first
 * characters. A value that breaks a rule
 * is refused with an `ApiError`, an invalid account id with a `TypeError`.
 *
 * @example
 * ```ts
 * const { token } = await app.get(ApiKeysService).create('acme', { name: 'Backend', permission: 'sending_access' });
 * ```
 */
@Injectable()
export class ApiKeysService {
  /** @param lookup cache of keys; absent in a process that only creates keys */
  constructor(
    private readonly keys: ApiKeysRepository,
    @Optional() @Inject(KeyLookupService) private readonly lookup?: { forgetAll(): void },
    @Optional() @Inject(DOMAIN_DIRECTORY) private readonly directory?: Pick<DomainDirectory, 'nameOf'>,
  ) {}

  /** A new key of the account. @throws Error for an unknown option, and when `transaction` is not open */
  async create(accountId: string, key: ApiKeyValues, options: CreateApiKeyOptions = {}): Promise<NewApiKeyDto> {
    checkAccountId(accountId);
    checkCreate(options);
    const { name, permission, page_role: pageRole = null, domain_id } = readValues(key, CreateApiKeyDto);
    if (permission !== undefined && pageRole !== null) {
      throw ApiError.invalid('Give `permission` for a key of the API, or `page_role` for one of the page, not both.');
    }
    const domainId = domain_id === undefined ? null : await this.checkDomain(accountId, domain_id, permission);
    const id = randomUUID();
    const token = generateToken();
    const kept = { tokenHash: hashToken(token), tokenStart: tokenStart(token) };
    const values = {
      id,
      accountId,
      name,
      permission: permission ?? 'full_access',
      pageRole,
      domainId,
      ...kept,
    } as const;
    const { transaction, caller } = options;
    if (transaction) {
      await this.keys.insert(values, transaction);
      await this.keys.noteAction(caller, 'api_key.create', id, transaction);
    } else {
      await this.keys.recorded(caller, 'api_key.create', (own) => this.keys.insert(values, own));
    }
    return { object: 'api_key', id, token };
  }

  /** The id of a domain of this account, in lower case. @throws ApiError 422 for any other, and without `sending_access` */
  private async checkDomain(accountId: string, domainId: string, permission: Permission | undefined): Promise<string> {
    if (!this.directory) throw ApiError.invalid(`\`domain_id\` must be left out. ${thisServerHasNo('domains')}`);
    if (permission !== 'sending_access') {
      throw ApiError.invalid(
        '`domain_id` needs the `permission` `sending_access`: other keys are not bound to a domain.',
      );
    }
    const id = domainId.toLowerCase();
    const name = await this.directory.nameOf(accountId, id);
    if (name === undefined) throw ApiError.invalid('`domain_id` must be the id of a domain of this account.');
    return id;
  }

  /**
   * Makes a given token a full-access key of the account, whether it was one before or not.
   *
   * @param name one line of 1 to 50 characters
   * @returns false when another account has it
   * @throws ApiError 422 for a token that does not match `TOKEN_PATTERN`
   */
  async register(accountId: string, name: string, token: string): Promise<boolean> {
    checkAccountId(accountId);
    readValues({ name }, CreateApiKeyDto);
    if (!isToken(token)) throw ApiError.invalid('`token` must have 8 to 256 of `A-Z a-z 0-9 . _ ~ + / = -`.');
    const isRegistered = await this.keys.register(randomUUID(), accountId, name, token);
    this.forget();
    return isRegistered;
  }

  /** True for a token whose key was revoked. */
  async isRevoked(token: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const revoked = { tokenHash: hashToken(token), revokedAt: Not(IsNull()) };
    return this.keys.onMaster((keys) => keys.existsBy(revoked));
  }

  /** The keys that are not revoked, newest first: all, up to 1,000. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQueryDto = {}): Promise<ApiKeyListDto> {
    checkAccountId(accountId);
    const page = toPageRequest(query, ALL);
    return toEnvelope(await this.keys.page(accountId, page, { where: 'revoked_at IS NULL' }), shown);
  }

  /** The key with its new name; undefined when the account has no such key. */
  async rename(accountId: string, id: string, changes: ApiKeyChanges, caller?: Caller): Promise<ApiKeyDto | undefined> {
    checkAccountId(accountId);
    const { name, id: own, api_key_id } = readValues(changes, UpdateApiKeyDto);
    checkRepeated({ id: own, api_key_id }, isSameId(id));
    const known = asId(id);
    const columns = given({ name: name ?? undefined });
    const key = await this.keys.recorded(askedBy(caller, columns), 'api_key.update', (manager) =>
      this.keys.change(accountId, known && { ...known, revokedAt: IsNull() }, columns, manager),
    );
    return key && shown(key);
  }

  /** Ends a key, in this process at once, on every other within a second. @returns false when the account has no such key */
  async revoke(accountId: string, id: string, caller?: Caller): Promise<boolean> {
    checkAccountId(accountId);
    if (!isUuid(id)) return false;
    const revoked = await this.keys.recorded(caller, 'api_key.delete', (manager) =>
      this.keys.revoke(accountId, id.toLowerCase(), manager),
    );
    this.forget();
    return revoked !== undefined;
  }

  /** @internal Makes a revoked or imported key take effect at once in this process. */
  forget(): void {
    this.lookup?.forgetAll();
  }
}

function shown(key: ApiKeyEntity): ApiKeyDto {
  const { id, name, createdText, lastUsedText, permission, tokenStart: start, pageRole, domainId } = key;
  const times = { created_at: createdText, last_used_at: lastUsedText };
  return { id, name, ...times, permission, token_start: start, domain_id: domainId, page_role: pageRole };
}
