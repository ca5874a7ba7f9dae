import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { nextLevel, type ReputationLevel, type ReputationState } from './next-level.js';
import * as sql from './reputation.sql.js';
import type { AccountReputation, ReputationVerdict } from './reputation-rates.js';
import { type ReputationBucket, ReputationRing } from './reputation-ring.js';

const SLOT = 15 * 60_000;
/** The age at which counts of a slot change no more: they are folded every minute. Milliseconds. */
const SETTLED = 60 * 60_000;
/** Recipients before the first bounce or complaint of an account that count. Milliseconds. */
const FIRST_LOOK = 30 * 86_400_000;
/** Time in which a process should have said what changed. Milliseconds. */
const SAYING = 60_000;

/** Windows of the rates. Recipients. */
const RECENT = 1_000;
const LONGER = 10_000;

/** News of an account. */
export interface ReputationCounts {
  /** Bounces because of the address. */
  bounces: number;
  complaints: number;
  /** Recipients that the next hop refused, for whatever cause. */
  refused: number;
}

/** An account to look at. */
export interface DueReputation {
  accountId: string;
  /** The rule held it. Whether it still is, `EmailsService` knows. */
  wasHeld: boolean;
}

/** An account after a look. */
export interface CheckedReputation extends ReputationState {
  reputation: AccountReputation;
  /** True if the level changed, and this process is to say so. */
  isNews: boolean;
}

interface Row extends ReputationState {
  newBounces: number;
  newComplaints: number;
  newRefused: number;
  recipients: number;
  countedUntil: Date | null;
  buckets: ReputationBucket[];
  said: ReputationLevel;
  sayingUntil: Date | null;
  now: Date;
}

interface SentSlot {
  slot: Date;
  recipients: number;
}

/**
 * Bounces and complaints of accounts by the number of their recipients. Sent emails are not recorded here: the counts of
 * events tell how many there were, and only those since the last look are read.
 */
@Injectable()
export class ReputationsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds news, in the transaction that hands the events over. */
  async record(manager: EntityManager, accounts: ReadonlyMap<string, ReputationCounts>): Promise<void> {
    const rows = [...accounts].map(([accountId, counts]) => ({ accountId, ...counts }));
    await manager.query(sql.RECORD, [JSON.stringify(rows)]);
  }

  /** Accounts with news, and those with a level at which nobody looked for a minute. None while a bad hour begins. */
  findDue(limit: number): Promise<DueReputation[]> {
    return this.dataSource.query(sql.FIND_DUE, [limit, SAYING]);
  }

  /**
   * Counts the news of an account, and records the level that follows.
   *
   * @param isReleased its hold was ended by hand: its count begins again
   */
  check(
    accountId: string,
    isReleased: boolean,
    judge: (reputation: AccountReputation) => ReputationVerdict,
  ): Promise<CheckedReputation | undefined> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const [row]: Row[] = await manager.query(sql.LOCK, [accountId]);
      if (!row) return undefined;
      const since = row.countedUntil ?? new Date(row.now.getTime() - FIRST_LOOK);
      const slots: SentSlot[] = await manager.query(sql.COUNT_SENT, [accountId, since]);
      const again = isReleased && row.level === 'hold' && row.said === 'hold';
      const counted = again ? afresh(row, slots) : counting(row, slots, since);
      const reputation = {
        accountId,
        recent: counted.ring.rates(RECENT),
        longer: counted.ring.rates(LONGER),
      };
      const state = again ? { ...row, level: null } : nextLevel(row, judge(reputation), row.now);
      const isNews = state.level !== row.said && (!row.sayingUntil || row.sayingUntil <= row.now);
      const sayingUntil = isNews ? new Date(row.now.getTime() + SAYING) : row.sayingUntil;
      const { level, since: begin, badAt } = state;
      await manager.query(sql.WRITE, [
        accountId,
        counted.settled,
        counted.until,
        JSON.stringify(counted.ring.entries),
        level,
        begin,
        badAt,
        sayingUntil,
      ]);
      return { reputation, level, since: begin, badAt, isNews };
    });
  }

  /** The level was said. */
  async said(accountId: string, level: ReputationLevel): Promise<void> {
    await this.dataSource.query(sql.SAID, [accountId, level]);
  }
}

interface Counted {
  ring: ReputationRing;
  /** Recipients until `until`. */
  settled: number;
  until: Date;
}

function counting(row: Row, slots: readonly SentSlot[], since: Date): Counted {
  const end = Math.floor((row.now.getTime() - SETTLED) / SLOT) * SLOT;
  const until = new Date(Math.max(end, since.getTime()));
  const sum = (some: readonly SentSlot[]) => some.reduce((total, { recipients }) => total + recipients, 0);
  const settled = row.recipients + row.newRefused + sum(slots.filter(({ slot }) => slot < until));
  const recipients = settled + sum(slots.filter(({ slot }) => slot >= until));
  const ring = new ReputationRing(recipients, row.buckets).with(row.newBounces, row.newComplaints);
  return { ring, settled, until };
}

/** Begins at 0 now: the current slots' counts so far are taken off again when they are read the next time. */
function afresh(row: Row, slots: readonly SentSlot[]): Counted {
  const until = new Date(Math.floor((row.now.getTime() - SETTLED) / SLOT) * SLOT);
  const before = slots.filter(({ slot }) => slot >= until).reduce((total, { recipients }) => total + recipients, 0);
  return { ring: new ReputationRing(0), settled: -before, until };
}
