import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { HandedEvent } from '../../index.js';
import { countRefusals } from '../bad-hours/count-refusals.js';
import { OperatorsRepository } from '../bad-hours/operators.repository.js';
import { RefusalNotice } from '../bad-hours/refusal-notice.js';
import { countReputation } from '../reputation/count-reputation.js';
import { ReputationDue } from '../reputation/reputation-due.js';
import { ReputationsRepository } from '../reputation/reputations.repository.js';

/** Counts bounces and complaints for the accounts' reputation and for the operators, in the transaction of the hand-over. */
@Injectable()
export class BounceCounts {
  private hasNews = false;
  private hasRefusals = false;

  constructor(
    @Inject(ReputationsRepository) private readonly reputations: Pick<ReputationsRepository, 'record'>,
    @Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, 'count'>,
    private readonly due: ReputationDue,
    private readonly notice: RefusalNotice,
  ) {}

  /** @param held operators in a bad hour: it is not the accounts' fault */
  async record(manager: EntityManager, events: readonly HandedEvent[], held: ReadonlySet<string>): Promise<void> {
    const accounts = countReputation(events, held);
    const refusals = countRefusals(events);
    this.hasNews = accounts.size > 0;
    this.hasRefusals = refusals.length > 0;
    if (this.hasNews) await this.reputations.record(manager, accounts);
    if (this.hasRefusals) await this.operators.count(refusals, manager);
  }

  /** Wakes those that judge the counts. */
  committed(): void {
    if (this.hasNews) this.due.note();
    if (this.hasRefusals) this.notice.note();
  }
}
