import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ListEnvelope, PageRequest, Permission } from 'nestjs-emails';
import { DataSource, type EntityManager } from 'typeorm';
import { listPage, timestampSql } from '../../shared/rows/list-page.js';
import { generateToken, hashToken } from '../auth/token.js';

/** An entry of the list. Timestamps as the contract writes them. */
export interface ApiKeyRecord {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface NewApiKey {
  id: string;
  /** Shown only now. */
  token: string;
}

const LIST = {
  table: 'api_keys',
  columns: `id, name, ${timestampSql('created_at')} AS created_at, ${timestampSql('last_used_at')} AS last_used_at`,
  where: 'revoked_at IS NULL',
};

/** The keys of the accounts. Only hashes of tokens are stored. */
@Injectable()
export class ApiKeysService {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    accountId: string,
    { name, permission }: { name: string; permission: Permission },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<NewApiKey> {
    const id = randomUUID();
    const token = generateToken();
    await manager.query(
      'INSERT INTO api_keys (id, account_id, name, permission, token_hash) VALUES ($1, $2, $3, $4, $5)',
      [id, accountId, name, permission, bytesOf(token)],
    );
    return { id, token };
  }

  /**
   * Makes a given token a full-access key of the account, whether it was one before or not.
   *
   * @returns false when another account has it
   */
  async register(accountId: string, name: string, token: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO api_keys AS known (id, account_id, name, permission, token_hash)
       VALUES ($1, $2, $3, 'full_access', $4)
       ON CONFLICT (token_hash) DO UPDATE SET permission = 'full_access', revoked_at = NULL
       WHERE known.account_id = EXCLUDED.account_id
       RETURNING id`,
      [randomUUID(), accountId, name, bytesOf(token)],
    );
    return rows.length > 0;
  }

  async isRevoked(token: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM api_keys WHERE token_hash = $1 AND revoked_at IS NOT NULL',
      [bytesOf(token)],
    );
    return rows.length > 0;
  }

  list(accountId: string, page: PageRequest): Promise<ListEnvelope<ApiKeyRecord>> {
    return listPage(this.dataSource, LIST, accountId, page);
  }

  /** @returns false when the account has no such key */
  async revoke(accountId: string, id: string): Promise<boolean> {
    const [, revoked] = await this.dataSource.query<[unknown[], number]>(
      'UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL',
      [id, accountId],
    );
    return revoked > 0;
  }
}

function bytesOf(token: string): Buffer {
  return Buffer.from(hashToken(token), 'hex');
}
