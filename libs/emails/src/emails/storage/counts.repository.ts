import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import * as sql from './counts.sql.js';
import { readWithin } from './read-within.js';

export type { Breakdown } from './counts.sql.js';

/** How many events of recipients are asked for. */
export interface CountsQuestion {
  accountId: string;
  /** Milliseconds since 1970, whole quarters of an hour. */
  from: number;
  /** Exclusive. */
  until: number;
  by: sql.Breakdown;
  unit: 'hour' | 'day' | 'week' | 'month';
  /** IANA. */
  timeZone: string;
  /** Of these emails only. */
  emailIds: readonly string[] | undefined;
}

/** How many events there were. */
export interface CountRow {
  /** The beginning of the period in milliseconds since 1970; null unless asked for. */
  period: number | null;
  /** Minutes from UTC at that time. */
  offset: number | null;
  /** In lower case, otherwise as callers wrote it. */
  domain: string | null;
  emailId: string | null;
  /** By kind, see `EventCountEntity`. */
  counts: Readonly<Record<string, number>>;
}

/** What `CountsRepository` does for readers, for tests that keep emails elsewhere. */
export type CountsStore = Pick<CountsRepository, 'now' | 'count'>;

/** How many events there were, after the events themselves are gone. */
@Injectable()
export class CountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Milliseconds since 1970 by the clock that dates events. */
  async now(): Promise<number> {
    const [row]: { now: number }[] = await this.dataSource.query(sql.NOW);
    return row?.now ?? Date.now();
  }

  /**
   * @param limit rows at most
   * @param patience milliseconds
   * @throws TooSlowError when that does not suffice
   */
  count(question: CountsQuestion, limit: number, patience: number): Promise<CountRow[]> {
    const { accountId, from, until, by, unit, timeZone, emailIds } = question;
    const range = [from, until].map((time) => new Date(time).toISOString());
    return readWithin(this.dataSource, patience, sql.counts(by), [
      accountId,
      ...range,
      unit,
      timeZone,
      emailIds ?? null,
      limit,
    ]);
  }

  /** Folds what was counted last. Resolves with how many rows there were; fewer than `limit` means that nothing is left. */
  async fold(limit: number): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(sql.FOLD, [limit]);
    return row?.count ?? 0;
  }
}
