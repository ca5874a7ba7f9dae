import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { OutcomeUnknownError } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import type { BusyLock } from '../../storage/accept/emails.repository.js';
import { ContendedLane } from './contended-lane.js';
import { GROUP, SharedLane } from './shared-lane.js';
import type { Tried, Writable, WriteStore } from './write-store.js';

/** Interval of polls for locks of other transactions. Milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** Delays before each poll for an email whose commit is uncertain. Milliseconds. */
const LOOKS = [0, 100, 300, 600, 1_000];
/** Timeout of all these polls. Milliseconds. */
const LOOKING = 5_000;

/** Not accepted: its idempotency key is in use. */
export type Written<Done> = Done | { accepted: false };

export interface WriterOptions<Item> {
  /** Limit of items in one statement. */
  maxSize: number;
  /** True if its write takes the database long. */
  isLong: (item: Item) => boolean;
  /** Limit of waits for locks of other transactions, and for an unavailable database. Milliseconds. Default: 15 s. */
  patience?: number | undefined;
}

/**
 * Writes emails, or other units, concurrent ones together. The shared lane never waits for long: an email that needs a
 * lock of another transaction leaves it, and holds no connection while it waits.
 */
export class Writer<Item extends Writable, Done extends { accepted: true }> {
  private readonly logger = new Logger('EmailWriter');
  private readonly short: Lanes<Item, Done>;
  /** Lane of emails whose write takes long, so that only long ones wait behind them. */
  private readonly long: Lanes<Item, Done>;
  /** Lane of emails with given message ids: a duplicate fails its statement, which is then split. */
  private readonly named: Lanes<Item, Done>;
  private readonly isLong: (item: Item) => boolean;
  private readonly patience: number;
  /** Locks known to be held: an email that needs one of them skips the shared lane. */
  private readonly held = new Set<string>();
  private lost = 0;
  private readonly lookUps: Batcher<Item, Tried<Done> | undefined>;

  constructor(
    private readonly store: WriteStore<Item, Done>,
    { maxSize, isLong, patience = 15_000 }: WriterOptions<Item>,
  ) {
    const lanes = (size: number): Lanes<Item, Done> => ({
      shared: new SharedLane(store, patience, size),
      contended: new ContendedLane(store, size),
    });
    this.short = lanes(maxSize);
    this.long = lanes(1);
    this.named = lanes(maxSize);
    this.isLong = isLong;
    this.patience = patience;
    this.lookUps = new Batcher((items) => store.findAccepted(items), { maxSize: GROUP });
  }

  /**
   * Resolves once the email is committed, or its idempotency key turns out to be in use.
   *
   * @throws Error with SQLSTATE 23505 when a given message id is in use
   * @throws ApiError 503 when its commit is uncertain, or a lock that it needs is held for too long
   */
  async write(email: Item): Promise<Written<Done>> {
    const { shared, contended } = this.lanesOf(email);
    try {
      const lock = this.heldLock(email);
      const result = lock ? ({ accepted: false, busy: lock } as const) : await shared.add(email);
      if (result === 'late') throw ApiError.held('account');
      return result.accepted || result.busy === null ? result : await this.waitFor(result.busy, email, contended);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      return this.findOut(email);
    }
  }

  private lanesOf(email: Item): Lanes<Item, Done> {
    if (this.isLong(email)) return this.long;
    return this.store.givenIds(email).length > 0 ? this.named : this.short;
  }

  /** Waits until the lock is free, and the next ones that turn out to be held. */
  private async waitFor(first: BusyLock, email: Item, lane: ContendedLane<Item, Done>): Promise<Written<Done>> {
    const deadline = performance.now() + this.patience;
    let lock = first;
    try {
      for (let wait = FIRST_PAUSE; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
        for (const name of this.namesOf(email, lock)) this.held.add(name);
        const result = await lane.add(email);
        if (result.accepted || result.busy === null) return result;
        lock = result.busy;
        await pause(wait);
      }
    } finally {
      // An email that still waits adds it again.
      for (const name of LOCKS.flatMap((each) => this.namesOf(email, each))) this.held.delete(name);
    }
    throw ApiError.held(lock);
  }

  /** Locks that this email needs and that are known to be held. */
  private heldLock(email: Item): BusyLock | undefined {
    return this.held.size === 0
      ? undefined
      : LOCKS.find((lock) => this.namesOf(email, lock).some((name) => this.held.has(name)));
  }

  /** Names the locks of the email; without a key, that of an unused key. */
  private namesOf(email: Item, lock: BusyLock): string[] {
    const { accountId, idempotency } = email;
    if (lock === 'message_id') return this.store.givenIds(email).map((id) => JSON.stringify([accountId, [id]]));
    const { key = null, endpoint = null } = idempotency ?? {};
    return [JSON.stringify(lock === 'account' ? [accountId] : [accountId, key, endpoint])];
  }

  /** Polls on other connections. The statement may still run, so an absent email may appear later. */
  private async findOut(email: Item): Promise<Written<Done>> {
    if (this.lost++ === 0) {
      this.logger.warn('The connection to the database was lost while emails were being written.');
    }
    try {
      const deadline = performance.now() + LOOKING;
      for (const wait of LOOKS) {
        await pause(wait);
        const late = pause(Math.max(deadline - performance.now(), 0), undefined, { ref: false });
        const found = await Promise.race([this.lookUps.add(email).catch(() => undefined), late]);
        if (found?.accepted) return found;
      }
    } finally {
      this.lost--;
    }
    throw ApiError.outcomeUnknown();
  }
}

interface Lanes<Item extends Writable, Done extends { accepted: true }> {
  shared: SharedLane<Item, Done>;
  contended: ContendedLane<Item, Done>;
}

const LOCKS: readonly BusyLock[] = ['key', 'message_id', 'account'];
