import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { OutcomeUnknownError } from '../../../shared/errors/database-errors.js';
import { Batcher } from '../../../shared/work/batcher.js';
import type { BusyLock } from '../../storage/email.repository.js';
import { ContendedLane } from './contended-lane.js';
import { GROUP, SharedLane } from './shared-lane.js';
import type { Tried, Writable, WriteStore } from './write-store.js';

/** Milliseconds between two looks at what somebody else holds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** Milliseconds before each look for an email of which it is not known whether it was committed. */
const LOOKS = [0, 100, 300, 600, 1_000];
/** Milliseconds for all of them. */
const LOOKING = 5_000;

/** Not accepted: its idempotency key is taken. */
export type Written<Done> = Done | { accepted: false };

export interface WriterOptions<Item> {
  /** Most that go with one statement. */
  maxSize: number;
  /** Whether it takes the database long to write. */
  isLong: (item: Item) => boolean;
  /** Milliseconds to wait for what somebody else holds, and for a database that cannot serve. Default: 15 s. */
  patience?: number | undefined;
}

/**
 * Writes emails, or whatever is written as one, concurrent ones together. The shared lane waits for nobody for long: an
 * email that needs what somebody else holds leaves it, and keeps no connection while it waits.
 */
export class Writer<Item extends Writable, Done extends { accepted: true }> {
  private readonly logger = new Logger('EmailWriter');
  private readonly short: Lanes<Item, Done>;
  /** For emails that take the database long to write: those behind them are as long. */
  private readonly long: Lanes<Item, Done>;
  /** For emails with message ids that others may have: a statement fails for one that is taken, and is then divided. */
  private readonly named: Lanes<Item, Done>;
  private readonly isLong: (item: Item) => boolean;
  private readonly patience: number;
  /** What was found to be held: whoever needs it does not try it in the shared lane. */
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
   * Resolves once the email is committed, or its idempotency key is found to be taken.
   *
   * @throws Error with SQLSTATE 23505 when a message id that was given is taken
   * @throws ApiError 503 when it is not known whether it is committed, or what it needs is held for too long
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

  /** Until it is free, and whatever else is found to be held then. */
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
      // Whoever waits still adds it again.
      for (const name of LOCKS.flatMap((each) => this.namesOf(email, each))) this.held.delete(name);
    }
    throw ApiError.held(lock);
  }

  /** What others wait for that this email needs too. */
  private heldLock(email: Item): BusyLock | undefined {
    return this.held.size === 0
      ? undefined
      : LOCKS.find((lock) => this.namesOf(email, lock).some((name) => this.held.has(name)));
  }

  /** Names the locks of the email; without a key, that of a key nobody has. */
  private namesOf(email: Item, lock: BusyLock): string[] {
    const { accountId, idempotency } = email;
    if (lock === 'message_id') return this.store.givenIds(email).map((id) => JSON.stringify([accountId, [id]]));
    const { key = null, endpoint = null } = idempotency ?? {};
    return [JSON.stringify(lock === 'account' ? [accountId] : [accountId, key, endpoint])];
  }

  /** Asks on other connections. Its statement may be under way still, so that what is not there yet may come later. */
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
