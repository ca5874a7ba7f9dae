import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { HandedEvent } from '../../index.js';
import { countRefusals } from '../bad-hours/count-refusals.js';
import { OperatorsRepository } from '../bad-hours/operators.repository.js';
import { BounceNotice } from '../bounce-notice.js';
import { countReputation } from '../reputation/count-reputation.js';
import { ReputationsRepository } from '../reputation/reputations.repository.js';

/** Counts bounces and complaints for the accounts' reputation and for the operators, in the transaction of the hand-over. */
@Injectable()
export class BounceCounts {
  private hasNews = false;

  constructor(
    @Inject(ReputationsRepository) private readonly reputations: Pick<ReputationsRepository, 'record'>,
    @Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, 'count'>,
    private readonly notice: BounceNotice,
  ) {}

  /** @param held operators in a bad hour: it is not the accounts' fault */
  async record(manager: EntityManager, events: readonly HandedEvent[], held: ReadonlySet<string>): Promise<void> {
    const accounts = countReputation(events, held);
    const refusals = countRefusals(events);
    this.hasNews = accounts.size > 0 || refusals.length > 0;
    if (accounts.size > 0) await this.reputations.record(manager, accounts);
    if (refusals.length > 0) await this.operators.count(refusals, manager);
  }

  /** Wakes the watch that judges the counts. */
  committed(): void {
    if (this.hasNews) this.notice.note();
  }
}
