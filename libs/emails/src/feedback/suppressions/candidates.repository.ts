import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { type ReputationCounts, ReputationsRepository } from '../reputation/reputations.repository.js';
import * as sql from './candidates.sql.js';
import type { SuppressionCandidateEntity } from './suppression-candidate.entity.js';
import { type NewSuppression, type OperatorSpan, SuppressionsRepository } from './suppressions.repository.js';

/** A candidate in the form of an entry. */
export type ListedCandidate = Pick<SuppressionCandidateEntity, 'id' | 'email' | 'reason' | 'sourceId'> & {
  createdText: string;
};

type Taken = NewSuppression & { accountId: string; counted: boolean; isDelivered: boolean };

/** Addresses that operators refused in a bad hour. Nobody asks about them at delivery. */
@Injectable()
export class CandidatesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly suppressions: SuppressionsRepository,
    private readonly reputations: ReputationsRepository,
  ) {}

  /** Adds candidates, each address once. An earlier one stays, unless an email was delivered to it since. */
  async put(manager: EntityManager, accountId: string, entries: readonly NewSuppression[]): Promise<void> {
    if (entries.length > 0) await manager.query(sql.PUT, [accountId, JSON.stringify(entries)]);
  }

  /**
   * Takes entries that bounces at an operator added off the list. They are candidates then.
   *
   * @returns their number; fewer than `limit` means that none is left
   */
  async takeOff(operator: string, from: Date, limit: number): Promise<number> {
    const [taken]: { count: number }[] = await this.dataSource.query(sql.TAKE_OFF, [operator, from, limit]);
    return taken?.count ?? 0;
  }

  /**
   * Counts candidates of an operator against the reputation of their accounts, from an age in milliseconds on.
   *
   * @returns their number; fewer than `limit` means that none is left
   */
  async count(operator: string, age: number, limit: number): Promise<number> {
    const [late]: { count: number }[] = await this.dataSource.query(sql.COUNT, [operator, age, limit]);
    return late?.count ?? 0;
  }

  /**
   * Makes candidates of an operator entries, which count against their accounts. Those to which an email was delivered since
   * are candidates no more, and nothing else.
   *
   * @returns their number
   */
  async putOn(operator: string, limit: number): Promise<number> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const taken: Taken[] = await manager.query(sql.TAKE, [operator, limit]);
      const bad = taken.filter(({ isDelivered }) => !isDelivered);
      const bounces = new Map<string, ReputationCounts>();
      for (const accountId of new Set(bad.map((entry) => entry.accountId))) {
        const own = bad.filter((entry) => entry.accountId === accountId);
        const added = own.map((entry): NewSuppression => ({ ...entry, origin: 'bounce' }));
        await this.suppressions.put(manager, accountId, added);
        const fresh = own.filter(({ counted }) => !counted).length;
        bounces.set(accountId, { bounces: fresh, complaints: 0, refused: 0 });
      }
      if (bounces.size > 0) await this.reputations.record(manager, bounces);
      return taken.length;
    });
  }

  /** True if an operator has candidates. */
  async has(operator: string): Promise<boolean> {
    const [found]: { has: boolean }[] = await this.dataSource.query(sql.HAS, [operator]);
    return found?.has === true;
  }

  /** The number of candidates that bounces at an operator made in a time, and the first of persons not erased. */
  async ofOperator(
    accountId: string,
    { operator, from, to }: OperatorSpan,
    limit: number,
  ): Promise<{ count: number; first: ListedCandidate[] }> {
    return onMaster(this.dataSource, async (manager) => {
      const parameters = [accountId, operator, from, to];
      const [counted]: { count: number }[] = await manager.query(sql.COUNT_OF_OPERATOR, parameters);
      return {
        count: counted?.count ?? 0,
        first: await manager.query<ListedCandidate[]>(sql.FIND_OF_OPERATOR, [...parameters, limit]),
      };
    });
  }

  /** Removes the first of these candidates. @returns their ids */
  async removeOfOperator(
    manager: EntityManager,
    accountId: string,
    { operator, from, to }: OperatorSpan,
    limit: number,
  ): Promise<string[]> {
    const removed: { id: string }[] = await manager.query(sql.REMOVE_OF_OPERATOR, [
      accountId,
      operator,
      from,
      to,
      limit,
    ]);
    return removed.map(({ id }) => id);
  }
}
