import { Batcher, type BatcherOptions } from '../batching/batcher.js';
import type { Semaphore } from '../batching/semaphore.js';
import { isLockTimeout } from '../errors/database-errors.js';
import type { AcceptResult, BusyLock, EmailStore, NewEmail } from '../storage/email.repository.js';

/** Milliseconds on a connection that others wait for too. Less than PostgreSQL's `deadlock_timeout`. */
const LOCK_TIMEOUT = 800;

/** What a lane is for: an idempotency key of an account, or, without one, the list of the account. */
export interface LanePlace {
  accountId: string;
  key: string | null;
}

/** Writes the emails that need what somebody else holds. May wait for it, on one of a few connections. */
export class SideLane {
  /** Emails that wait here. The lane is open as long as there are any. */
  users = 0;
  private readonly batcher: Batcher<NewEmail, AcceptResult>;
  private readonly lock: BusyLock;
  /** Then it is asked whether that is over before anything is written: a key is held for long, a list seldom. */
  private held: boolean;

  constructor(
    private readonly place: LanePlace,
    private readonly repository: EmailStore,
    private readonly connections: Semaphore,
    options: BatcherOptions,
  ) {
    this.lock = place.key === null ? 'account' : 'key';
    this.held = place.key !== null;
    this.batcher = new Batcher((emails) => this.run(emails), options);
  }

  /** `busy` when it is held still. */
  add(email: NewEmail): Promise<AcceptResult> {
    return this.batcher.add(email);
  }

  private async run(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    const { accountId, key } = this.place;
    if (this.held && !(await this.repository.isFree(accountId, key))) return this.allBusy(emails);
    const results = await this.connections.run(() => this.tryAll(emails));
    this.held = results.some((result) => !result.accepted && result.busy !== null);
    return results;
  }

  private async tryAll(emails: readonly NewEmail[]): Promise<AcceptResult[]> {
    try {
      return await this.repository.acceptWaiting(emails, LOCK_TIMEOUT);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return this.allBusy(emails);
    }
  }

  private allBusy(emails: readonly NewEmail[]): AcceptResult[] {
    return emails.map(() => ({ accepted: false, busy: this.lock }));
  }
}
