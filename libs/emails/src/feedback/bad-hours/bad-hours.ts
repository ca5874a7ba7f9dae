import { Inject, Injectable } from '@nestjs/common';
import { FeedbackAlarms } from '../alarms/feedback-alarms.js';
import { CandidatesRepository } from '../suppressions/candidates.repository.js';
import {
  isBad,
  isOfFewAccounts,
  LEAST_REFUSALS,
  limitRate,
  type OperatorCounts,
  reaches,
  SUSPICIOUS_REFUSALS,
} from './judge-hour.js';
import { OperatorCounter } from './operator-counter.js';
import { type ClaimedHold, OperatorsRepository } from './operators.repository.js';

/** Time without a bad rate that ends a bad hour. Milliseconds. */
const QUIET = 3_600_000;
/** Entries before the begin of a bad hour that are part of it. Milliseconds. */
const BEFORE = 600_000;
/** Age from which on candidates count against their accounts: no provider's bad hour lasts so long. Milliseconds. */
const NO_EXCUSE = 6 * 3_600_000;
/** Entries of one transaction. */
const STEP = 500;

const EFFECT =
  'They are not suppressed until it is back to normal for an hour. `POST /suppressions/undo` takes them back.';
const RESULT = 'The addresses that it refused are on the suppression list now, but for those taken back.';

/**
 * Finds the bad hours of operators, and ends them. Its steps can be repeated, and another process does them if this one
 * dies.
 */
@Injectable()
export class BadHours {
  constructor(
    @Inject(OperatorsRepository) private readonly operators: Pick<OperatorsRepository, keyof OperatorsRepository>,
    @Inject(CandidatesRepository)
    private readonly candidates: Pick<CandidatesRepository, 'takeOff' | 'count' | 'putOn' | 'has'>,
    @Inject(OperatorCounter) private readonly counter: Pick<OperatorCounter, 'flush'>,
    @Inject(FeedbackAlarms) private readonly alarms: Pick<FeedbackAlarms, 'begin' | 'end' | 'attempt'>,
  ) {}

  /** Looks once. */
  async step(): Promise<void> {
    await this.counter.flush();
    const recent = new Map((await this.operators.recent()).map((counts) => [counts.operator, counts]));
    const holds = await this.operators.claim();
    for (const hold of holds) await this.carryOn(hold, recent.get(hold.operator));
    for (const [operator, counts] of recent) {
      if (counts.refusals >= LEAST_REFUSALS && !holds.some((hold) => hold.operator === operator))
        await this.judge(operator, counts, recent);
    }
    await this.operators.forget();
  }

  /** True if an operator refuses at a bad rate, and too few yet to call it a bad hour. */
  async isSuspected(): Promise<boolean> {
    for (const counts of await this.operators.recent()) {
      const isSuspicious = counts.refusals >= SUSPICIOUS_REFUSALS && counts.refusals < LEAST_REFUSALS;
      if (!isSuspicious) continue;
      const limit = limitRate(counts, await this.operators.usual(counts.operator));
      if (reaches(counts, limit) && !(await this.isOfFewAccounts(counts.operator, counts, limit))) return true;
    }
    return false;
  }

  private async isOfFewAccounts(operator: string, counts: OperatorCounts, limit: number): Promise<boolean> {
    const parts = await this.operators.ofWorstAccounts(operator);
    return parts.some((part) => isOfFewAccounts(counts, part, limit));
  }

  private async judge(
    operator: string,
    counts: OperatorCounts,
    recent: ReadonlyMap<string, OperatorCounts>,
  ): Promise<void> {
    const limit = limitRate(counts, await this.operators.usual(operator));
    if (!isBad(counts, limit) || (await this.isOfFewAccounts(operator, counts, limit))) return;
    await this.operators.begin(operator, limit);
    // None if it began before, in another process. Holds of other operators that are free meanwhile are carried on too.
    for (const hold of await this.operators.claim()) await this.carryOn(hold, recent.get(hold.operator));
  }

  private async carryOn(hold: ClaimedHold, counts: OperatorCounts | undefined): Promise<void> {
    const { operator, since, limitRate: limit, quiet } = hold;
    if (!hold.isEnding) {
      const from = new Date(since.getTime() - BEFORE);
      while ((await this.candidates.takeOff(operator, from, STEP)) === STEP);
      if (!hold.said && (await this.say(hold, false))) await this.operators.said(operator);
      while ((await this.candidates.count(operator, NO_EXCUSE, STEP)) === STEP);
      const isStillBad =
        counts !== undefined && isBad(counts, limit) && !(await this.isOfFewAccounts(operator, counts, limit));
      if (isStillBad) await this.operators.stillBad(operator);
      if (isStillBad || quiet < QUIET) return this.operators.release(operator);
      await this.operators.end(operator);
    }
    while ((await this.candidates.putOn(operator, STEP)) === STEP);
    const isDone = !(await this.candidates.has(operator)) && (await this.say(hold, true));
    await (isDone ? this.operators.delete(operator) : this.operators.release(operator));
  }

  /** Resolves with false if it failed, and is to be repeated. */
  private say({ operator, since }: ClaimedHold, isOver: boolean): Promise<boolean> {
    const alarm = { code: 'provider_bad_hour' as const, subject: operator };
    return this.alarms.attempt(operator, () =>
      isOver
        ? this.alarms.end(`The bad hour of ${operator} is over. ${RESULT}`, alarm)
        : this.alarms.begin({ ...alarm, since, text: `${operator} refuses unusually many addresses. ${EFFECT}` }),
    );
  }
}
