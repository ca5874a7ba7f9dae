import { isDatabaseUnavailable, isLockTimeout } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import type { BusyLock } from '../../storage/accept/emails.repository.js';
import { ownLock, type Tried, type Writable, type WriteStore } from './write-store.js';

/** Limit of emails in one statement. */
export const GROUP = 100;

/** Lock timeout for an account's list, and for an invisible claim of a key. All others wait meanwhile. Milliseconds. */
const SHORT_WAIT = 200;
/** Lock timeout for the remaining locks, those of the tables themselves. Milliseconds. */
const LONG_WAIT = 10_000;

interface Waiting<Item> {
  email: Item;
  /** By the clock of `performance`. */
  since: number;
}

/** While the database cannot serve, a retry for each email would only delay the others. */
export function mayDivide(error: unknown): boolean {
  return !isDatabaseUnavailable(error);
}

/** Writes the emails of all accounts, concurrent ones together. An email that would wait for long is `busy`. */
export class SharedLane<Item extends Writable, Done extends { accepted: true }> {
  private readonly batcher: Batcher<Waiting<Item>, Tried<Done> | 'late'>;
  /** True if the database could not serve the last group. */
  private failing = false;

  /**
   * @param patience milliseconds that an email waits for its turn while the database cannot serve
   * @param maxSize limit of emails in one statement
   */
  constructor(
    private readonly store: WriteStore<Item, Done>,
    private readonly patience: number,
    maxSize = GROUP,
  ) {
    this.batcher = new Batcher((group) => this.run(group), { maxSize, mayDivide });
  }

  /** `late`: the database cannot serve, and the email's wait is over. */
  add(email: Item): Promise<Tried<Done> | 'late'> {
    return this.batcher.add({ email, since: performance.now() });
  }

  private async run(group: readonly Waiting<Item>[]): Promise<readonly (Tried<Done> | 'late')[]> {
    const earliest = this.failing ? performance.now() - this.patience : Number.NEGATIVE_INFINITY;
    const isLate = ({ since }: Waiting<Item>) => since < earliest;
    const emails = group.filter((waiting) => !isLate(waiting)).map(({ email }) => email);
    if (emails.length === 0) return group.map(() => 'late');
    const results = (await this.accept(emails)).values();
    return group.map((waiting) => (isLate(waiting) ? 'late' : (results.next().value as Tried<Done>)));
  }

  private async accept(emails: readonly Item[]): Promise<Tried<Done>[]> {
    try {
      const results = await this.acceptAround(emails);
      this.failing = false;
      return results;
    } catch (error) {
      this.failing = isDatabaseUnavailable(error);
      throw error;
    }
  }

  /**
   * Waits for an account's list for the time of a turn among other processes; emails of a list held for longer are left
   * out.
   */
  private async acceptAround(emails: readonly Item[]): Promise<Tried<Done>[]> {
    try {
      return await this.store.accept(emails, SHORT_WAIT);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return this.acceptFree(emails);
    }
  }

  /** A lock timeout here means an invisible claim: the emails with keys and given message ids are left out. */
  private async acceptFree(emails: readonly Item[]): Promise<Tried<Done>[]> {
    try {
      return await this.store.acceptFree(emails, SHORT_WAIT);
    } catch (error) {
      const lockless = emails.filter((email) => !this.ownLock(email));
      if (!isLockTimeout(error) || lockless.length === emails.length) throw error;
      const results = (lockless.length > 0 ? await this.store.acceptFree(lockless, LONG_WAIT) : []).values();
      return emails.map((email) => {
        const busy = this.ownLock(email);
        return busy ? { accepted: false, busy } : (results.next().value as Tried<Done>);
      });
    }
  }

  private ownLock(email: Item): BusyLock | undefined {
    return ownLock(email, this.store.givenIds(email));
  }
}
