import { isDatabaseUnavailable, isLockTimeout } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import type { AcceptResult, BusyLock, EmailStore, NewEmail } from '../../storage/email.repository.js';
import { ownLock } from './shared-lane.js';

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
export class ContendedLane {
  private readonly tries: Batcher<NewEmail, AcceptResult>;
  private readonly turns: Batcher<NewEmail, AcceptResult>;

  /** @param maxSize emails of one statement */
  constructor(
    private readonly repository: EmailStore,
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
  async add(email: NewEmail): Promise<AcceptResult> {
    const tried = await this.tries.add(email);
    return !tried.accepted && tried.busy === 'account' ? this.turns.add(email) : tried;
  }

  private async tryAll(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    try {
      return await this.repository.acceptFree(emails, SHORT_WAIT);
    } catch (error) {
      if (emails.length > 1 || !isLockTimeout(error)) throw error;
      return emails.map((email) => ({ accepted: false, busy: ownLock(email) ?? 'key' }));
    }
  }

  /** The account of the first of them; the others ask again. */
  private async takeTurn(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    const accountId = emails[0]?.accountId;
    const own = emails.filter((email) => email.accountId === accountId);
    const results = (await this.acceptInTurn(own)).values();
    return emails.map((email) =>
      email.accountId === accountId ? (results.next().value as AcceptResult) : BUSY_ACCOUNT,
    );
  }

  private async acceptInTurn(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    try {
      return await this.repository.accept(emails, TURN);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return allBusy(emails, 'account');
    }
  }
}

const BUSY_ACCOUNT: AcceptResult = { accepted: false, busy: 'account' };

function allBusy(emails: readonly NewEmail[], lock: BusyLock): AcceptResult[] {
  return emails.map(() => ({ accepted: false, busy: lock }));
}
