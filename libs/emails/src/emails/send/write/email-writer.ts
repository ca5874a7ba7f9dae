import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { OutcomeUnknownError } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import {
  type AcceptResult,
  type BusyLock,
  type EmailStore,
  hasGivenMessageId,
  type NewEmail,
} from '../../storage/email.repository.js';
import { ContendedLane } from './contended-lane.js';
import { GROUP, SharedLane } from './shared-lane.js';

/** Characters of html and text. */
const LONG = 1_000_000;

/** Milliseconds between two looks at what somebody else holds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** Milliseconds before each look for an email of which it is not known whether it was committed. */
const LOOKS = [0, 100, 300, 600, 1_000];
/** Milliseconds for all of them. */
const LOOKING = 5_000;

/** Not accepted: its idempotency key is taken. */
export type Written = Extract<AcceptResult, { accepted: true }> | { accepted: false };

/**
 * Writes emails, concurrent ones together. The shared lane waits for nobody for long: an email that needs what somebody
 * else holds leaves it, and keeps no connection while it waits.
 */
export class EmailWriter {
  private readonly logger = new Logger(EmailWriter.name);
  private readonly short: Lanes;
  /** For emails that take the database long to write: those behind them are as long. */
  private readonly long: Lanes;
  /** For emails with message ids that others may have: a statement fails for one that is taken, and is then divided. */
  private readonly named: Lanes;
  /** What was found to be held: whoever needs it does not try it in the shared lane. */
  private readonly held = new Set<string>();
  private lost = 0;
  private readonly lookUps: Batcher<string, AcceptResult | undefined>;

  /** @param patience milliseconds that an email waits for what somebody else holds, and for a database that cannot serve */
  constructor(
    private readonly repository: EmailStore,
    private readonly patience = 15_000,
  ) {
    const lanes = (maxSize: number): Lanes => ({
      shared: new SharedLane(repository, patience, maxSize),
      contended: new ContendedLane(repository, maxSize),
    });
    this.short = lanes(GROUP);
    this.long = lanes(1);
    this.named = lanes(GROUP);
    this.lookUps = new Batcher((ids) => this.lookUp(ids), { maxSize: GROUP });
  }

  /**
   * Resolves once the email is committed, or its idempotency key is found to be taken.
   *
   * @throws Error with SQLSTATE 23505 when the message id that it was given is taken
   * @throws ApiError 503 when it is not known whether it is committed, or what it needs is held for too long
   */
  async write(email: NewEmail): Promise<Written> {
    const { shared, contended } = this.lanesOf(email);
    try {
      const lock = this.heldLock(email);
      const result = lock ? ({ accepted: false, busy: lock } as const) : await shared.add(email);
      if (result === 'late') throw ApiError.held('account');
      return result.accepted || result.busy === null ? result : await this.waitFor(result.busy, email, contended);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      return this.findOut(email.id);
    }
  }

  private lanesOf(email: NewEmail): Lanes {
    const { html, text } = email;
    if ((html?.length ?? 0) + (text?.length ?? 0) > LONG) return this.long;
    return hasGivenMessageId(email) ? this.named : this.short;
  }

  /** Until it is free, and whatever else is found to be held then. */
  private async waitFor(first: BusyLock, email: NewEmail, lane: ContendedLane): Promise<Written> {
    const deadline = performance.now() + this.patience;
    let lock = first;
    try {
      for (let wait = FIRST_PAUSE; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
        this.held.add(nameOf(email, lock));
        const result = await lane.add(email);
        if (result.accepted || result.busy === null) return result;
        lock = result.busy;
        await pause(wait);
      }
    } finally {
      // Whoever waits still adds it again.
      for (const each of LOCKS) this.held.delete(nameOf(email, each));
    }
    throw ApiError.held(lock);
  }

  /** What others wait for that this email needs too. */
  private heldLock(email: NewEmail): BusyLock | undefined {
    return this.held.size === 0 ? undefined : LOCKS.find((lock) => this.held.has(nameOf(email, lock)));
  }

  /** Asks on other connections. Its statement may be under way still, so that what is not there yet may come later. */
  private async findOut(id: string): Promise<Written> {
    if (this.lost++ === 0) {
      this.logger.warn('The connection to the database was lost while emails were being written.');
    }
    try {
      const deadline = performance.now() + LOOKING;
      for (const wait of LOOKS) {
        await pause(wait);
        const late = pause(Math.max(deadline - performance.now(), 0), undefined, { ref: false });
        const found = await Promise.race([this.lookUps.add(id).catch(() => undefined), late]);
        if (found?.accepted) return found;
      }
    } finally {
      this.lost--;
    }
    throw ApiError.outcomeUnknown();
  }

  private async lookUp(ids: readonly string[]): Promise<(AcceptResult | undefined)[]> {
    const found = await this.repository.findAccepted(ids);
    return ids.map((id) => found.get(id));
  }
}

interface Lanes {
  shared: SharedLane;
  contended: ContendedLane;
}

const LOCKS: readonly BusyLock[] = ['key', 'message_id', 'account'];

/** Names the lock of the email; without a key, that of a key nobody has. */
function nameOf({ accountId, idempotency, messageId }: NewEmail, lock: BusyLock): string {
  const names = { key: [idempotency?.key ?? null], message_id: [null, messageId], account: [] };
  return JSON.stringify([accountId, ...names[lock]]);
}
