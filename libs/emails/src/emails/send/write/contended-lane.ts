import { isDatabaseUnavailable, isLockTimeout } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import { ownLock, type Tried, type Unwritten, type Writable, type WriteStore } from './write-store.js';

/** Interval of the statements that try all waiting emails. Milliseconds. */
const PACE = 20;
/** Lock timeout for an invisible claim of a key. Milliseconds. */
const SHORT_WAIT = 10;
/** Lock timeout for an account's list, below PostgreSQL's `deadlock_timeout`. Milliseconds. */
const TURN = 200;

/**
 * Writes emails whose idempotency key, message id or account's list another transaction holds. It uses two connections
 * for any number of emails and locks: on one it tries all without waiting; on the other it queues for one account after
 * the other, since a list in constant use is never found free.
 */
export class ContendedLane<Item extends Writable, Done extends { accepted: true }> {
  private readonly tries: Batcher<Item, Tried<Done>>;
  private readonly turns: Batcher<Item, Tried<Done>>;

  /** @param maxSize limit of emails in one statement */
  constructor(
    private readonly store: WriteStore<Item, Done>,
    maxSize: number,
  ) {
    this.tries = new Batcher((emails) => this.tryAll(emails), {
      maxSize,
      pace: PACE,
      mayDivide: (error) => isLockTimeout(error) || !isDatabaseUnavailable(error),
    });
    this.turns = new Batcher((emails) => this.queue(emails), { maxSize });
  }

  /** `busy` while another transaction holds it. */
  async add(email: Item): Promise<Tried<Done>> {
    const tried = await this.tries.add(email);
    return !tried.accepted && tried.busy === 'account' ? this.turns.add(email) : tried;
  }

  private async tryAll(emails: readonly Item[]): Promise<Tried<Done>[]> {
    try {
      return await this.store.acceptFree(emails, SHORT_WAIT);
    } catch (error) {
      if (emails.length > 1 || !isLockTimeout(error)) throw error;
      return emails.map((email) => ({ accepted: false, busy: ownLock(email, this.store.givenIds(email)) ?? 'key' }));
    }
  }

  /** The account of the first email; the others try again. */
  private async queue(emails: readonly Item[]): Promise<Tried<Done>[]> {
    const accountId = emails[0]?.accountId;
    const own = emails.filter((email) => email.accountId === accountId);
    const results = (await this.acceptInTurn(own)).values();
    return emails.map((email) =>
      email.accountId === accountId ? (results.next().value as Tried<Done>) : BUSY_ACCOUNT,
    );
  }

  private async acceptInTurn(emails: readonly Item[]): Promise<Tried<Done>[]> {
    try {
      return await this.store.accept(emails, TURN);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return allBusy(emails, 'account');
    }
  }
}

const BUSY_ACCOUNT: Unwritten = { accepted: false, busy: 'account' };

function allBusy(emails: readonly Writable[], lock: Unwritten['busy']): Unwritten[] {
  return emails.map(() => ({ accepted: false, busy: lock }));
}
