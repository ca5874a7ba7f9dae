import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OperatorsRepository } from '../bad-hours/operators.repository.js';
import { CandidatesRepository } from './candidates.repository.js';
import { type NewSuppression, SuppressionsRepository } from './suppressions.repository.js';

/** Adds what bounces and complaints say to the lists of accounts. Refusals of an operator in a bad hour are candidates. */
@Injectable()
export class SuppressionIntake {
  constructor(
    @Inject(SuppressionsRepository) private readonly suppressions: Pick<SuppressionsRepository, 'put'>,
    @Inject(CandidatesRepository) private readonly candidates: Pick<CandidatesRepository, 'put'>,
    @Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, 'held'>,
  ) {}

  /** @returns the operators of these entries that are in a bad hour */
  async put(
    manager: EntityManager,
    accounts: ReadonlyMap<string, readonly NewSuppression[]>,
  ): Promise<ReadonlySet<string>> {
    const named = [...accounts.values()].flat().flatMap((entry) => (isRefusal(entry) ? [entry.operator] : []));
    const held = await this.operators.held(manager, [...new Set(named)]);
    const isCandidate = (entry: NewSuppression) => isRefusal(entry) && held.has(entry.operator);
    for (const [accountId, entries] of accounts) {
      const sure = entries.filter((entry) => !isCandidate(entry));
      if (sure.length > 0) await this.suppressions.put(manager, accountId, sure);
      await this.candidates.put(manager, accountId, entries.filter(isCandidate));
    }
    return held;
  }
}

/** A permanent refusal by a known operator. */
function isRefusal(entry: NewSuppression): entry is NewSuppression & { operator: string } {
  return entry.origin === 'bounce' && entry.lifetime === undefined && typeof entry.operator === 'string';
}
