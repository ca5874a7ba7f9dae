import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { AccountExistsError } from './account-exists.error.js';

const DEFAULT_ACCOUNT = 'default';

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
    await this.dataSource.query('INSERT INTO accounts (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
      randomUUID(),
      DEFAULT_ACCOUNT,
    ]);
    const [account] = await this.dataSource.query<{ id: string }[]>('SELECT id FROM accounts WHERE name = $1', [
      DEFAULT_ACCOUNT,
    ]);
    if (account === undefined) {
      throw new Error('The account `default` was removed while it was being made.');
    }
    return account.id;
  }

  /**
   * A new account with its first key, both or neither.
   *
   * @throws AccountExistsError
   */
  async create(name: string): Promise<NewAccount> {
    return this.dataSource.transaction(async (manager) => {
      const [account] = await manager.query<{ id: string }[]>(
        'INSERT INTO accounts (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING id',
        [randomUUID(), name],
      );
      if (account === undefined) {
        throw new AccountExistsError(name);
      }
      const key = { name: 'account', permission: 'full_access' } as const;
      const { token } = await this.apiKeys.create(account.id, key, manager);
      return { accountId: account.id, token };
    });
  }
}
