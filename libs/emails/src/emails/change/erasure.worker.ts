import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isLockTimeout, isNoRowsFault } from '../../shared/errors/database-errors.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { inTime } from '../../shared/work/in-time.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { PersonEraser } from '../ports/person-eraser.js';
import { terms } from '../storage/email-terms.js';
import type { Cancellation, ClaimedErasure, ErasureRepository, Search } from '../storage/erase/erasure.repository.js';
import { eraseFrom } from './erased-email.js';

/** Delay between polls without a notification of the lookout. Milliseconds. */
const INTERVAL = 600_000;
/** After this time another worker continues an erasure whose worker died. Milliseconds. */
const LEASE = 30_000;
/** Emails of one step, whose rows stay locked while it runs. */
const STEP = 100;
/** Delay before emails that were locked are tried again. Milliseconds. */
const PAUSE = 500;
/** Delay before emails with other pending recipients are tried again, lower and upper limit. Milliseconds. */
const REMAINDER_PAUSES = [500, 300_000] as const;
/** The same while an owner of contents does not answer. */
const UNDECIDED_PAUSES = [30_000, 30_000] as const;
/** Timeout of one call of a person eraser. Milliseconds. */
const PATIENCE = 20_000;

/**
 * Erases people in small steps: first from all emails, the newest first, then from the data of other modules, then from
 * emails that had to wait for their other recipients; last, contents of attachments are deleted. Any number of processes may run it: each step is one
 * transaction under a lease, and a finished step is not found again, so that a process may die at any moment.
 */
@Injectable()
export class ErasureWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ErasureWorker.name);
  private readonly task: PeriodicTask;
  private endWatch = () => {};

  constructor(
    private readonly repository: Pick<
      ErasureRepository,
      | 'claim'
      | 'search'
      | 'passOver'
      | 'goOn'
      | 'forgetAddress'
      | 'clear'
      | 'forgetRemainders'
      | 'deleteContents'
      | 'endRound'
      | 'lookout'
      | 'question'
    >,
    private readonly others: readonly PersonEraser[],
    private readonly announcer: EventAnnouncer,
  ) {
    this.task = new PeriodicTask(
      () => this.step(),
      INTERVAL,
      () => this.logger.warn('A step of an erasure failed. It will be tried again.'),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
    this.endWatch = this.repository.lookout.watch({
      question: () => this.repository.question,
      answered: (due) => due.length > 0 && this.task.wake(),
      failed: () => this.task.wake(),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endWatch();
    await this.task.stop();
  }

  /** Wakes the worker for a new erasure. */
  wake(): void {
    this.task.wake();
  }

  /** Resolves with false when none is due. */
  async step(): Promise<boolean> {
    const claim = await this.repository.claim(LEASE);
    if (!claim) return false;
    const { address } = claim;
    if (address === null) await this.clear(claim);
    else if (claim.searched) await this.askOthers(claim, address);
    else this.notify(claim, await this.search(claim, addressKey(address)));
    return true;
  }

  /** A locked or unreadable email does not keep back the others. */
  private async search(claim: ClaimedErasure, key: string): Promise<readonly Cancellation[]> {
    const words = [terms.recipient, terms.cc, terms.bcc, terms.from, terms.replyTo].map((word) => word(key));
    const search = (limit: number): Search => ({ words, limit, erase: (email) => eraseFrom(email, key) });
    for (const limit of [STEP, 1]) {
      try {
        return await this.repository.search(claim, search(limit), PAUSE);
      } catch (error) {
        if (isNoRowsFault(error) && !isLockTimeout(error)) throw error;
        if (limit === 1) await this.passOver(claim, search(1), error);
      }
    }
    return [];
  }

  private async passOver(claim: ClaimedErasure, search: Search, error: unknown): Promise<void> {
    if (!isLockTimeout(error)) this.logger.warn('A person cannot be erased from an email. It will be tried again.');
    await this.repository.passOver(claim, search);
  }

  private async clear(claim: ClaimedErasure): Promise<void> {
    const cleared = await this.repository.clear(claim, STEP);
    if (!cleared) return this.endRound(claim);
    const { accountId } = claim;
    let more = false;
    for (const other of cleared.emails.length > 0 ? this.others : []) {
      const erased = other.eraseEmails?.({ accountId, emails: cleared.emails });
      more = ((await (erased && inTime(erased, PATIENCE, tooSlow))) ?? false) || more;
    }
    await (more ? this.repository.goOn(claim) : this.repository.forgetRemainders(claim, cleared));
  }

  private async endRound(claim: ClaimedErasure): Promise<void> {
    const contents = await this.repository.deleteContents(claim);
    if (contents === 'deleted') return this.repository.goOn(claim);
    const isUndecided = contents === 'undecided';
    await this.repository.endRound(claim, isUndecided ? UNDECIDED_PAUSES : REMAINDER_PAUSES, isUndecided);
  }

  private async askOthers(claim: ClaimedErasure, address: string): Promise<void> {
    const person = { accountId: claim.accountId, address, before: claim.before };
    let more = false;
    for (const other of this.others) {
      more = (await inTime(other.erase({ ...person }), PATIENCE, tooSlow)) || more;
    }
    await (more ? this.repository.goOn(claim) : this.repository.forgetAddress(claim));
  }

  private notify({ accountId }: ClaimedErasure, canceled: readonly Cancellation[]): void {
    this.announcer.announce(canceled.map((event) => ({ ...event, accountId, type: 'canceled' as const })));
  }
}

function tooSlow(): never {
  throw new Error('A module takes too long to erase a person.');
}
