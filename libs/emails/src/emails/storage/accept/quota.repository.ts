import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { QuotaCountEntity } from '../entities/quota-count.entity.js';
import * as sql from './quota.sql.js';

/** Emails of an account that one statement counts. */
const STEP = 10_000;

/** Recipients of an account's accepted emails. */
export interface QuotaCount {
  accountId: string;
  /** `2026-11-26`, in UTC. */
  day: string;
  ofDay: number;
  /** Its first day. */
  month: string;
  ofMonth: number;
  /** Milliseconds since 1970, by the clock of PostgreSQL. */
  changedAt: number;
}

/** The methods of `QuotaRepository`, for tests with another storage. */
export type QuotaStore = Pick<QuotaRepository, 'begin' | 'fold'>;

/** Counts the recipients of accepted emails, by account. */
@Injectable()
export class QuotaRepository {
  constructor(@InjectRepository(QuotaCountEntity) private readonly counts: Repository<QuotaCountEntity>) {}

  /** Counts accounts from this month on, unless they are counted already. */
  async begin(accountIds: readonly string[]): Promise<void> {
    await this.counts.query(sql.BEGIN, [accountIds]);
  }

  /** Counts of accounts with so many recipients of this day, or of this month. */
  async current(ofDay: number, ofMonth: number): Promise<Pick<QuotaCount, 'accountId' | 'ofDay' | 'ofMonth'>[]> {
    return this.counts.query(sql.CURRENT, [ofDay, ofMonth]);
  }

  /**
   * Counts the new emails of these accounts.
   *
   * @param since milliseconds since 1970
   * @returns their counts, and those of all accounts that changed since then, each account once
   */
  async fold(accountIds: readonly string[], since: number): Promise<QuotaCount[]> {
    const found = new Map<string, QuotaCount>();
    let asked = accountIds;
    do {
      const rows: (QuotaCount & { isMore: boolean })[] = await this.counts.query(sql.FOLD, [asked, STEP, since]);
      for (const { isMore: _, ...count } of rows) found.set(count.accountId, count);
      asked = rows.flatMap(({ accountId, isMore }) => (isMore ? [accountId] : []));
    } while (asked.length > 0);
    return [...found.values()];
  }
}
