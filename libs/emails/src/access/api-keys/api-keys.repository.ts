import { Inject, Injectable, Optional } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { ACTION_LOG, type ActionLog } from '../../shared/actions/action-log.js';
import { AccountRepository } from '../../shared/rows/account.repository.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { hashToken, tokenStart } from '../auth/token.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** $1: id, $2: account, $3: name, $4: hash, $5: start of the token. TypeORM has no condition for the rows that an upsert may overwrite. */
const REGISTER = `
INSERT INTO ${SCHEMA}.api_keys AS known (id, account_id, name, permission, token_hash, token_start)
VALUES ($1, $2, $3, 'full_access', $4, $5)
ON CONFLICT (token_hash) DO UPDATE SET permission = 'full_access', page_role = NULL, domain_id = NULL, revoked_at = NULL
WHERE known.account_id = EXCLUDED.account_id
RETURNING id`;

/** The API keys of the accounts. */
@Injectable()
export class ApiKeysRepository extends AccountRepository<ApiKeyEntity> {
  constructor(
    @InjectRepository(ApiKeyEntity) rows: Repository<ApiKeyEntity>,
    @Optional() @Inject(ACTION_LOG) log?: ActionLog,
  ) {
    super(rows, log);
  }

  /**
   * @internal
   * Makes a token a full-access key of the account, whether it was one before or not.
   *
   * @returns false when another account has it
   */
  async register(id: string, accountId: string, name: string, token: string): Promise<boolean> {
    const values = [id, accountId, name, hashToken(token), tokenStart(token)];
    const rows: unknown[] = await this.repository.query(REGISTER, values);
    return rows.length > 0;
  }

  /** @internal @returns its id; undefined when the account has no such key that is valid */
  async revoke(accountId: string, id: string, manager?: EntityManager): Promise<string | undefined> {
    const rows = manager?.getRepository(ApiKeyEntity) ?? this.repository;
    const revoked = rows
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'now()' })
      .where({ id, accountId, revokedAt: IsNull() });
    const { affected } = await revoked.callListeners(false).execute();
    return affected ? id : undefined;
  }
}
