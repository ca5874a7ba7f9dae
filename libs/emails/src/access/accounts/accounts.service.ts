import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { findRows } from '../../shared/rows/find-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { AccountEntity } from './account.entity.js';
import { AccountExistsError } from './account-exists.error.js';
import { CreateAccountDto } from './create-account.dto.js';

const DEFAULT_ACCOUNT = 'default';

/** An account that was just made. */
export interface NewAccount {
  accountId: string;
  /** A full-access key, shown only now. */
  token: string;
}

/**
 * The accounts.
 *
 * @example
 * ```ts
 * const { accountId, token } = await app.get(AccountsService).create('Acme'); // `token` is shown this once
 * ```
 */
@Injectable()
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** The id of the account `default`, which is made when it does not exist yet. */
  async ensureDefault(): Promise<string> {
    await insert(this.dataSource.manager, DEFAULT_ACCOUNT);
    const [account] = await onMaster(this.dataSource, (manager) =>
      findRows(manager.getRepository(AccountEntity), { where: { name: DEFAULT_ACCOUNT } }),
    );
    return (account as AccountEntity).id;
  }

  /**
   * A new account with its first key, both or neither.
   *
   * @param name unique among the accounts, one line of 1 to 100 characters
   * @throws AccountExistsError
   * @throws ApiError 422 for another name
   */
  async create(name: string): Promise<NewAccount> {
    readValues({ name }, CreateAccountDto);
    return this.dataSource.transaction(async (manager) => {
      const accountId = await insert(manager, name);
      if (accountId === undefined) throw new AccountExistsError(name);
      const key = { name: 'account', permission: 'full_access' } as const;
      const { token } = await this.apiKeys.create(accountId, key, { transaction: manager });
      return { accountId, token };
    });
  }

  /**
   * Ends an account with all of its keys, in this process at once, on every other within a second. A key made within
   * that second stays: a host with hostile users calls again after it. The host must also remove other rows with the
   * account's id: emails, topics, contacts and templates.
   *
   * @param accountId may belong to an account without a row here that has keys
   * @returns false when there was neither account nor key
   * @throws TypeError for an invalid account id
   */
  async remove(accountId: string): Promise<boolean> {
    checkAccountId(accountId);
    const removed = await this.dataSource.transaction(async (manager) => {
      const ids = isUuid(accountId) ? await deleteAccount(manager, accountId) : [];
      // A UUID matches in any letter case. The text as written may be the id of an account that another system keeps.
      return ids.length + (await deleteKeys(manager, [accountId, ...ids]));
    });
    this.apiKeys.forget();
    return removed > 0;
  }
}

/** @returns its id as it is stored, if there was one */
async function deleteAccount(manager: EntityManager, id: string): Promise<string[]> {
  const { raw } = await manager
    .createQueryBuilder()
    .delete()
    .from(AccountEntity)
    .where({ id })
    .returning('id')
    .callListeners(false)
    .execute();
  return (raw as { id: string }[]).map((account) => account.id);
}

/** @returns how many there were */
async function deleteKeys(manager: EntityManager, accountIds: readonly string[]): Promise<number> {
  const { affected } = await manager
    .createQueryBuilder()
    .delete()
    .from(ApiKeyEntity)
    .where({ accountId: In(accountIds) })
    .callListeners(false)
    .execute();
  return affected ?? 0;
}

/** Undefined when there is an account with this name. */
async function insert(manager: EntityManager, name: string): Promise<string | undefined> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(AccountEntity)
    .values({ id: randomUUID(), name })
    .orIgnore()
    .returning('id')
    .callListeners(false)
    .execute();
  return (raw as { id: string }[])[0]?.id;
}
