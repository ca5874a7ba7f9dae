import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { EventCountEntity } from '../entities/event-count.entity.js';
import * as sql from './counts.sql.js';
import { readWithin } from './read-within.js';

export type { Breakdown } from './counts.sql.js';

/** Which events of recipients are counted. */
export interface CountsQuestion {
  accountId: string;
  /** Milliseconds since 1970, whole quarters of an hour. */
  from: number;
  /** Exclusive. */
  until: number;
  by: sql.Breakdown;
  unit: 'hour' | 'day' | 'week' | 'month';
  /** IANA name. */
  timeZone: string;
  /** Only events of these emails. */
  emailIds: readonly string[] | undefined;
}

/** Numbers of events. */
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

/** The methods that readers of `CountsRepository` use, for tests with another storage. */
export type CountsStore = Pick<CountsRepository, 'now' | 'count'>;

/** Numbers of events, kept after the events themselves are deleted. */
@Injectable()
export class CountsRepository {
  constructor(@InjectRepository(EventCountEntity) private readonly counts: Repository<EventCountEntity>) {}

  /** Milliseconds since 1970 by the clock that dates events. */
  async now(): Promise<number> {
    const [row]: { now: number }[] = await this.counts.query(sql.NOW);
    return row?.now ?? Date.now();
  }

  /**
   * @param limit limit of rows
   * @param patience time limit, in milliseconds
   * @throws TooSlowError when that does not suffice
   */
  count(question: CountsQuestion, limit: number, patience: number): Promise<CountRow[]> {
    const { accountId, from, until, by, unit, timeZone, emailIds } = question;
    const range = [from, until].map((time) => new Date(time).toISOString());
    return readWithin(this.counts.manager.connection, patience, sql.counts(by), [
      accountId,
      ...range,
      unit,
      timeZone,
      emailIds ?? null,
      limit,
    ]);
  }

  /** Folds recent counts. Resolves with the number of rows; fewer than `limit` means that none is left. */
  async fold(limit: number): Promise<number> {
    const [row]: { count: number }[] = await this.counts.query(sql.FOLD, [limit]);
    return row?.count ?? 0;
  }
}
