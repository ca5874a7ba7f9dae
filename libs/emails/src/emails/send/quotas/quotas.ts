import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { Batcher } from '../../../shared/work/batcher.js';
import { PeriodicTask } from '../../../shared/work/periodic-task.js';
import { limitOf, type QuotaOptions } from '../../ports/quota.options.js';
import type { QuotaCount, QuotaStore } from '../../storage/accept/quota.repository.js';
import type { JoinedTransaction } from '../../storage/accept/transactions.js';

/** Time between two counts. Milliseconds. */
const INTERVAL = 1_000;
/** Time after its last request in which an account is counted: by then its emails are committed, despite locks. Milliseconds. */
const RECENT = 20_000;
/** Accounts of one statement. */
const GROUP = 100;

/** An account with recent requests. */
interface RecentAccount {
  /** Time of the last request. */
  at: number;
  /** Undefined until it was read. */
  count?: QuotaCount;
}

/** Recipients, or infinity. */
interface Limits {
  day: number;
  month: number;
}

/**
 * Refuses what is beyond an account's quota. The counts of accounts with recent requests are in memory, and one statement a
 * second counts what was committed since, by this process or another one. So a request waits for no statement, but for the
 * first one of its account in a while, and no row is locked at acceptance.
 */
export class Quotas implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Quotas');
  private readonly accounts = new Map<string, RecentAccount>();
  private readonly firsts = new Batcher<string, QuotaCount | undefined>((accounts) => this.read(accounts), {
    maxSize: GROUP,
  });
  private task: PeriodicTask | undefined;

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
   * @param transaction of the host that the email joins: it may hold the last connection, and is asked instead of another
   * @throws ApiError 429
   */
  check(accountId: string, recipients: () => number, transaction?: JoinedTransaction): Promise<void> | undefined {
    if (!this.options) return undefined;
    const limits = {
      day: limitOf(this.options.perDay, accountId),
      month: limitOf(this.options.perMonth, accountId),
    };
    if (limits.day === Number.POSITIVE_INFINITY && limits.month === Number.POSITIVE_INFINITY) return undefined;
    this.start();
    const account: RecentAccount = this.accounts.get(accountId) ?? { at: 0 };
    this.accounts.set(accountId, account);
    account.at = this.clock();
    if (!account.count)
      return this.first(account, accountId, transaction).then(() => this.judge(account, recipients(), limits));
    this.judge(account, recipients(), limits);
    return undefined;
  }

  /** Counts what was accepted since the last time. */
  async step(): Promise<void> {
    const before = this.clock() - RECENT;
    for (const [accountId, { at }] of this.accounts) if (at < before) this.accounts.delete(accountId);
    if (this.accounts.size === 0) return;
    for (const count of await this.store.fold([...this.accounts.keys()])) {
      const account = this.accounts.get(count.accountId);
      if (account) account.count = count;
    }
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

  private async first(account: RecentAccount, accountId: string, transaction?: JoinedTransaction): Promise<void> {
    const [count] = transaction ? await this.store.read([accountId], transaction) : [await this.firsts.add(accountId)];
    // The transaction may see the counts as they were at its begin.
    if (count) account.count ??= count;
  }

  private async read(accountIds: readonly string[]): Promise<(QuotaCount | undefined)[]> {
    const counts = new Map((await this.store.read([...new Set(accountIds)])).map((count) => [count.accountId, count]));
    return accountIds.map((accountId) => counts.get(accountId));
  }

  private judge({ count }: RecentAccount, recipients: number, limits: Limits): void {
    const now = new Date(this.clock());
    const [day, month] = [now.toISOString().slice(0, 10), `${now.toISOString().slice(0, 7)}-01`];
    const ofMonth = count?.month === month ? count.ofMonth : 0;
    const ofDay = count?.day === day ? count.ofDay : 0;
    // The month first: its end comes later.
    if (ofMonth + recipients > limits.month) {
      const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
      throw ApiError.monthlyQuotaExceeded(limits.month, secondsUntil(next, now));
    }
    if (ofDay + recipients > limits.day) {
      const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
      throw ApiError.dailyQuotaExceeded(limits.day, secondsUntil(next, now));
    }
  }
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1_000));
}
