import { isDatabaseUnavailable, isLockTimeout } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import { ownLock, type Tried, type Unwritten, type Writable, type WriteStore } from './write-store.js';

/** Milliseconds between two statements that try whatever is wanted here. */
const PACE = 20;
/** Milliseconds for a claim of a key that does not show. */
const SHORT_WAIT = 10;
/** Milliseconds in the queue for an account's list. Less than PostgreSQL's `deadlock_timeout`. */
const TURN = 200;

/**
 * Writes the emails of which somebody else was found to hold the idempotency key, the message id or the account's list. Takes two
 * connections, however many emails and locks there are: on one it tries all, waiting for none; on the other it takes a
 * place in the queue for one account after the other, since a list that goes from hand to hand is never found free.
 */
export class ContendedLane<Item extends Writable, Done extends { accepted: true }> {
  private readonly tries: Batcher<Item, Tried<Done>>;
  private readonly turns: Batcher<Item, Tried<Done>>;

  /** @param maxSize emails of one statement */
  constructor(
    private readonly store: WriteStore<Item, Done>,
    maxSize: number,
  ) {
    this.tries = new Batcher((emails) => this.tryAll(emails), {
      maxSize,
      pace: PACE,
      mayDivide: (error) => isLockTimeout(error) || !isDatabaseUnavailable(error),
    });
    this.turns = new Batcher((emails) => this.takeTurn(emails), { maxSize });
  }

  /** `busy` when it is held still. */
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

  /** The account of the first of them; the others ask again. */
  private async takeTurn(emails: readonly Item[]): Promise<Tried<Done>[]> {
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
