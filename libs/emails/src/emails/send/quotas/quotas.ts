import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { Batcher } from '../../../shared/work/batcher.js';
import { PeriodicTask } from '../../../shared/work/periodic-task.js';
import { limitOf, type QuotaOptions } from '../../ports/quota.options.js';
import type { QuotaCount, QuotaStore } from '../../storage/accept/quota.repository.js';

/** Time between two counts. Milliseconds. */
const INTERVAL = 1_000;
/** Time after a request in which its emails are committed, also where it waits for locks. Milliseconds. */
const COMMITTED = 20_000;
/** A count that a transaction has written may appear later by this. Milliseconds. */
const OVERLAP = 5_000;
/** Accounts whose counts are in memory. */
const MOST_ACCOUNTS = 10_000;
/** Accounts of one statement. */
const GROUP = 100;

/**
 * Refuses what is beyond an account's quota. The counts are in memory: one statement a second counts the emails that
 * were committed since, and reads the counts of accounts whose emails other processes counted. So a request waits for
 * no statement, but for the first one of its account in this process, and no row is locked at acceptance.
 */
export class Quotas implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Quotas');
  private readonly counts = new Map<string, QuotaCount>();
  /** Accounts with recent requests, each with the time of the last. */
  private readonly active = new Map<string, number>();
  private readonly firsts = new Batcher<string, undefined>((accounts) => this.begin(accounts), { maxSize: GROUP });
  private task: PeriodicTask | undefined;
  /** Time of the newest count that was read, by the clock of PostgreSQL. */
  private readUntil = 0;

  constructor(
    private readonly store: QuotaStore,
    private readonly options: QuotaOptions | undefined,
    private readonly clock: () => number = Date.now,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.task?.stop();
  }

  /**
   * Resolves if so many recipients are within the account's quota, at once if its count is in memory.
   *
   * @throws ApiError 429
   */
  check(accountId: string, recipients: () => number): Promise<void> | undefined {
    if (!this.options) return undefined;
    const perDay = limitOf(this.options.perDay, accountId);
    const perMonth = limitOf(this.options.perMonth, accountId);
    if (perDay === Number.POSITIVE_INFINITY && perMonth === Number.POSITIVE_INFINITY) return undefined;
    this.start();
    this.active.set(accountId, this.clock());
    const known = this.counts.get(accountId);
    if (!known) return this.firsts.add(accountId).then(() => this.judge(accountId, recipients(), perDay, perMonth));
    this.judge(accountId, recipients(), perDay, perMonth);
    return undefined;
  }

  /** Counts what was accepted since the last time. */
  async step(): Promise<void> {
    const before = this.clock() - COMMITTED;
    const accounts = [...this.active.keys()];
    for (const [accountId, at] of this.active) if (at < before) this.active.delete(accountId);
    const known = accounts.filter((accountId) => this.counts.has(accountId));
    this.keep(await this.store.fold(known, this.readUntil - OVERLAP), (accountId) => this.counts.has(accountId));
  }

  private start(): void {
    if (this.task) return;
    this.task = new PeriodicTask(
      () => this.step(),
      INTERVAL,
      () => this.logger.warn('Recipients could not be counted for quotas. It will be tried again.'),
    );
    this.task.start();
  }

  /** The first request of these accounts in this process: what was accepted before is counted now. */
  private async begin(accountIds: readonly string[]): Promise<undefined[]> {
    const asked = new Set(accountIds);
    await this.store.begin([...asked]);
    this.keep(await this.store.fold([...asked], Number.MAX_SAFE_INTEGER), (accountId) => asked.has(accountId));
    return accountIds.map(() => undefined);
  }

  private keep(counts: readonly QuotaCount[], isWanted: (accountId: string) => boolean): void {
    for (const count of counts) {
      this.readUntil = Math.max(this.readUntil, count.changedAt);
      const known = this.counts.get(count.accountId);
      if (!isWanted(count.accountId) || (known && known.changedAt > count.changedAt)) continue;
      this.counts.set(count.accountId, count);
    }
    for (const accountId of this.counts.keys()) {
      if (this.counts.size <= MOST_ACCOUNTS) break;
      this.counts.delete(accountId);
    }
  }

  private judge(accountId: string, recipients: number, perDay: number, perMonth: number): void {
    const now = new Date(this.clock());
    const count = this.counts.get(accountId);
    const [day, month] = [now.toISOString().slice(0, 10), `${now.toISOString().slice(0, 7)}-01`];
    const ofMonth = count?.month === month ? count.ofMonth : 0;
    const ofDay = count?.day === day ? count.ofDay : 0;
    // The month first: its end comes later.
    if (ofMonth + recipients > perMonth) {
      const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
      throw ApiError.monthlyQuotaExceeded(perMonth, secondsUntil(next, now));
    }
    if (ofDay + recipients > perDay) {
      const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
      throw ApiError.dailyQuotaExceeded(perDay, secondsUntil(next, now));
    }
  }
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1_000));
}
