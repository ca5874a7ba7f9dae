import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { QuotaCountEntity } from '../entities/quota-count.entity.js';
import { queryWithin } from './query-within.js';
import * as sql from './quota.sql.js';
import type { JoinedTransaction } from './transactions.js';

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
}

/** The count of an account for this day and this month. */
export interface ChangedCount extends Pick<QuotaCount, 'accountId' | 'ofDay' | 'ofMonth'> {
  /** Milliseconds since 1970, by the clock of PostgreSQL. */
  changedAt: number;
}

/** The methods of `QuotaRepository`, for tests with another storage. */
export type QuotaStore = Pick<QuotaRepository, 'read' | 'fold'>;

/** Counts the recipients of accepted emails, by account. */
@Injectable()
export class QuotaRepository {
  constructor(@InjectRepository(QuotaCountEntity) private readonly counts: Repository<QuotaCountEntity>) {}

  /**
   * The counts of these accounts as of now. Nothing is locked or written, so that a transaction of the host may ask.
   *
   * @param transaction default: a separate connection
   */
  read(accountIds: readonly string[], transaction?: JoinedTransaction): Promise<QuotaCount[]> {
    return queryWithin(transaction, this.counts, sql.READ, [accountIds]);
  }

  /** Counts the new emails of these accounts, from this month on those of accounts that were not counted yet. */
  async fold(accountIds: readonly string[]): Promise<QuotaCount[]> {
    const found = new Map<string, QuotaCount>();
    await this.foldInto(found, accountIds);
    const lacking = accountIds.filter((accountId) => !found.has(accountId));
    if (lacking.length > 0) {
      await this.counts.query(sql.BEGIN, [lacking]);
      await this.foldInto(found, lacking);
    }
    return [...found.values()];
  }

  /** Counts of these accounts, and of all that changed since a time. @param since milliseconds since 1970 */
  changed(accountIds: readonly string[], since: number): Promise<ChangedCount[]> {
    return this.counts.query(sql.CHANGED, [accountIds, since]);
  }

  private async foldInto(found: Map<string, QuotaCount>, accountIds: readonly string[]): Promise<void> {
    let asked = accountIds;
    while (asked.length > 0) {
      const rows: (QuotaCount & { isMore: boolean })[] = await this.counts.query(sql.FOLD, [asked, STEP]);
      for (const { isMore: _, ...count } of rows) found.set(count.accountId, count);
      asked = rows.flatMap(({ accountId, isMore }) => (isMore ? [accountId] : []));
    }
  }
}
