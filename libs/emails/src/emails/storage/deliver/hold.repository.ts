import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AccountHoldEntity } from '../entities/account-hold.entity.js';
import { BEGIN } from './change.sql.js';
import * as sql from './hold.sql.js';
import { transactOnce } from './transact-once.js';

/** An account whose emails are kept. */
export interface AccountHold {
  accountId: string;
  since: Date;
  reason: string;
}

export interface ReleasedHold {
  kind: 'released';
  /** The oldest of the released emails. */
  emails: { emailId: string; fence: number }[];
}

/** The methods of `HoldRepository`, for tests with another storage. */
export type HoldStore = Pick<HoldRepository, keyof HoldRepository>;

/** Accounts whose emails are accepted and kept. */
@Injectable()
export class HoldRepository {
  constructor(@InjectRepository(AccountHoldEntity) private readonly holds: Repository<AccountHoldEntity>) {}

  async hold(accountId: string, reason: string): Promise<void> {
    await this.holds.query(sql.HOLD, [accountId, reason]);
  }

  /**
   * Ends a hold. Its emails are due in the same commit, so that none is left behind if the process dies.
   *
   * @param limit of the returned emails; a sweep finds the others
   * @throws OutcomeUnknownError when the connection was lost at the commit
   */
  release(accountId: string, limit: number): Promise<ReleasedHold> {
    return transactOnce(this.holds.manager.connection, BEGIN, async (transaction) => {
      await transaction.query(sql.END_HOLD, [accountId]);
      const { rows } = await transaction.query<ReleasedHold['emails'][number]>(sql.RELEASE_HELD, [accountId, limit]);
      return { kind: 'released', emails: rows };
    });
  }

  /** The held accounts, the longest held first. */
  async list(): Promise<AccountHold[]> {
    return this.holds.find({ order: { since: 'ASC', accountId: 'ASC' } });
  }
}
