import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { OPERATORS } from '../../shared/replies/operators/index.js';
import type { OperatorCounts } from './judge-hour.js';
import * as sql from './operators.sql.js';

/** Stands for recipients at domains of no operator. */
export const NO_OPERATOR = '';
const NAMES = OPERATORS.map(({ name }) => name);
/** Time in which a process works on a hold. Milliseconds. */
const CLAIM = 60_000;

/** New counts of an operator, of mail of one account. */
export interface NewOperatorCount {
  operator: string;
  accountId: string;
  /** Default: now. */
  at?: Date;
  recipients: number;
  refusals: number;
  ownRefusals: number;
  /** Hash of the refused mailbox: further counts of it within ten minutes change nothing. Default: none. */
  mailbox?: string;
}

/** A hold that this process works on. */
export interface ClaimedHold {
  operator: string;
  since: Date;
  limitRate: number;
  /** True if its begin was said. */
  said: boolean;
  isEnding: boolean;
  /** Since the rate reached the limit for the last time. Milliseconds. */
  quiet: number;
}

type CountsRow = OperatorCounts & { operator: string };

/** Counts of the operators of recipients' servers, and their bad hours. */
@Injectable()
export class OperatorsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async count(counts: readonly NewOperatorCount[], manager: EntityManager = this.dataSource.manager): Promise<void> {
    if (counts.length > 0) await manager.query(sql.COUNT, [JSON.stringify(counts)]);
  }

  /** The last ten minutes of each operator. */
  recent(): Promise<CountsRow[]> {
    return this.dataSource.query(sql.COUNTS_RECENT, [NAMES]);
  }

  /** The week before that of an operator; undefined without a week of data. */
  async usual(operator: string): Promise<OperatorCounts | undefined> {
    const [row]: CountsRow[] = await this.dataSource.query(sql.COUNTS_USUAL, [[operator]]);
    return row;
  }

  /** The parts of the one, two and three accounts with most refusals in the last ten minutes, each added up. */
  ofWorstAccounts(operator: string): Promise<OperatorCounts[]> {
    return this.dataSource.query(sql.COUNTS_OF_WORST, [operator]);
  }

  async forget(): Promise<void> {
    for (const forget of sql.FORGET) await this.dataSource.query(forget, [[...NAMES, NO_OPERATOR]]);
  }

  /** Those of these operators that are in a bad hour, which does not end before this transaction. */
  async held(manager: EntityManager, operators: readonly string[]): Promise<ReadonlySet<string>> {
    if (operators.length === 0) return new Set();
    const rows: { operator: string }[] = await manager.query(sql.FIND_HELD, [operators]);
    return new Set(rows.map(({ operator }) => operator));
  }

  async begin(operator: string, limitRate: number): Promise<void> {
    await this.dataSource.query(sql.BEGIN, [operator, limitRate]);
  }

  /** The holds that no other process works on. */
  claim(): Promise<ClaimedHold[]> {
    return this.dataSource.query(sql.CLAIM, [CLAIM]);
  }

  async release(operator: string): Promise<void> {
    await this.dataSource.query(sql.RELEASE, [operator]);
  }

  async said(operator: string): Promise<void> {
    await this.dataSource.query(sql.SAID, [operator]);
  }

  async stillBad(operator: string): Promise<void> {
    await this.dataSource.query(sql.STILL_BAD, [operator]);
  }

  /** From its commit on, refusals are entries again. Waits for transactions that saw the hold. */
  async end(operator: string): Promise<void> {
    await this.dataSource.query(sql.END, [operator]);
  }

  async delete(operator: string): Promise<void> {
    await this.dataSource.query(sql.DELETE, [operator]);
  }
}
