import { Logger } from '@nestjs/common';
import type { EmailIndexRepository } from '../storage/email-index.repository.js';

/** After the last email in the order of ids. */
const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Emails of a step, which are locked while it is written. */
const STEP = 500;

/**
 * Walks through the emails that filters do not know yet, from the newest to the oldest, a step at a time: those of an
 * earlier version. Where there are none a round costs one look into an index. What was locked waits for the next round.
 */
export class IndexWalk {
  private readonly logger = new Logger(IndexWalk.name);
  private before = END;
  /** Emails of this round. */
  private done = 0;

  constructor(private readonly repository: Pick<EmailIndexRepository, 'index'>) {}

  /** Resolves with false when the round is over. A step that fails is taken again. */
  async step(): Promise<boolean> {
    const begins = this.before === END;
    const taken = await this.repository.index(this.before, STEP);
    if (taken) {
      if (begins) this.logger.log('Emails of an earlier version are made known to the filters of `GET /emails`.');
      this.done += taken.count;
      this.before = taken.last;
      return true;
    }
    if (!begins) this.logger.log(`The filters know all emails: ${this.done} more.`);
    this.before = END;
    this.done = 0;
    return false;
  }
}
