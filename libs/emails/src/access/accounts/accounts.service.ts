import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { AccountEntity } from './account.entity.js';
import { AccountExistsError } from './account-exists.error.js';

const DEFAULT_ACCOUNT = 'default';

/** An account that was just made. */
export interface NewAccount {
  accountId: string;
  /** A full-access key, shown only now. */
  token: string;
}

/** Who there is. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** The id of the account `default`, which is made when it does not exist yet. */
  async ensureDefault(): Promise<string> {
    await insert(this.dataSource.manager, DEFAULT_ACCOUNT);
    const named = { name: DEFAULT_ACCOUNT };
    return (await onMaster(this.dataSource, (manager) => manager.findOneByOrFail(AccountEntity, named))).id;
  }

  /**
   * A new account with its first key, both or neither.
   *
   * @param name unique among the accounts
   * @throws AccountExistsError
   */
  async create(name: string): Promise<NewAccount> {
    return this.dataSource.transaction(async (manager) => {
      const accountId = await insert(manager, name);
      if (accountId === undefined) throw new AccountExistsError(name);
      const key = { name: 'account', permission: 'full_access' } as const;
      const { token } = await this.apiKeys.create(accountId, key, manager);
      return { accountId, token };
    });
  }
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
    .execute();
  return (raw as { id: string }[])[0]?.id;
}
