import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Batcher } from '../batching/batcher.js';
import { Semaphore } from '../batching/semaphore.js';
import { ApiError } from '../errors/api-error.js';
import { OutcomeUnknownError } from '../errors/database-errors.js';
import type { AcceptResult, BusyLock, EmailStore, NewEmail } from '../storage/email.repository.js';
import { GROUP, mayDivide, SharedLane } from './shared-lane.js';
import { type LanePlace, SideLane } from './side-lane.js';

/** Connections of a process on which emails may wait for locks of each kind. */
const WAITING_CONNECTIONS = 4;

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
 * Writes emails, concurrent ones together. The shared lane waits for nobody: an email that needs what somebody else holds
 * goes to a lane of those that need the same, and keeps no connection while it waits.
 */
export class EmailWriter {
  private readonly logger = new Logger(EmailWriter.name);
  private readonly shared: SharedLane;
  /** For emails that take the database long to write: those behind them are as long. */
  private readonly long: SharedLane;
  private readonly lanes = new Map<string, SideLane>();
  private readonly connections = {
    key: new Semaphore(WAITING_CONNECTIONS),
    account: new Semaphore(WAITING_CONNECTIONS),
  };
  private readonly lookUps: Batcher<string, AcceptResult | undefined>;

  /** @param patience milliseconds that an email waits for what somebody else holds, and for a database that cannot serve */
  constructor(
    private readonly repository: EmailStore,
    private readonly patience = 15_000,
  ) {
    this.shared = new SharedLane(repository, patience);
    this.long = new SharedLane(repository, patience, 1);
    this.lookUps = new Batcher((ids) => this.lookUp(ids), { maxSize: GROUP });
  }

  /**
   * Resolves once the email is committed, or its idempotency key is found to be taken.
   *
   * @throws ApiError 503 when it is not known whether it is committed, or what it needs is held for too long
   */
  async write(email: NewEmail): Promise<Written> {
    try {
      const held = this.heldLock(email);
      const result = held ? ({ accepted: false, busy: held } as const) : await this.laneOf(email).add(email);
      if (result === 'late') throw ApiError.held('account');
      return result.accepted || result.busy === null ? result : await this.waitFor(result.busy, email);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      return this.findOut(email.id);
    }
  }

  private laneOf({ html, text }: NewEmail): SharedLane {
    return (html?.length ?? 0) + (text?.length ?? 0) > LONG ? this.long : this.shared;
  }

  /** Until it is free, and whatever else is found to be held then. */
  private async waitFor(lock: BusyLock, email: NewEmail): Promise<Written> {
    const deadline = performance.now() + this.patience;
    let result: AcceptResult = { accepted: false, busy: lock };
    while (!result.accepted && result.busy !== null) result = await this.beside(email, result.busy, deadline);
    return result;
  }

  /** Together with all that wait for the same. */
  private async beside(email: NewEmail, lock: BusyLock, deadline: number): Promise<AcceptResult> {
    const place = placeOf(email, lock);
    const lane = this.lanes.get(nameOf(place)) ?? this.openLane(place, lock);
    lane.users++;
    try {
      for (let wait = FIRST_PAUSE; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
        const result = await lane.add(email);
        if (result.accepted || result.busy !== lock) return result;
        await pause(wait);
      }
      throw ApiError.held(lock);
    } finally {
      if (--lane.users === 0) this.lanes.delete(nameOf(place));
    }
  }

  private openLane(place: LanePlace, lock: BusyLock): SideLane {
    const lane = new SideLane(place, this.repository, this.connections[lock], { maxSize: GROUP, mayDivide });
    this.lanes.set(nameOf(place), lane);
    return lane;
  }

  /** What others wait for that this email needs too. */
  private heldLock(email: NewEmail): BusyLock | undefined {
    if (this.lanes.size === 0) return undefined;
    const locks: BusyLock[] = email.idempotency ? ['key', 'account'] : ['account'];
    return locks.find((lock) => this.lanes.has(nameOf(placeOf(email, lock))));
  }

  /** Asks on other connections. Its statement may be under way still, so that what is not there yet may come later. */
  private async findOut(id: string): Promise<Written> {
    this.logger.warn('The connection to the database was lost while emails were being written.');
    const deadline = performance.now() + LOOKING;
    for (const wait of LOOKS) {
      await pause(wait);
      const late = pause(Math.max(deadline - performance.now(), 0), undefined, { ref: false });
      const found = await Promise.race([this.lookUps.add(id).catch(() => undefined), late]);
      if (found?.accepted) return found;
    }
    throw ApiError.outcomeUnknown();
  }

  private async lookUp(ids: readonly string[]): Promise<(AcceptResult | undefined)[]> {
    const found = await this.repository.findAccepted(ids);
    return ids.map((id) => found.get(id));
  }
}

function placeOf({ accountId, idempotency }: NewEmail, lock: BusyLock): LanePlace {
  return { accountId, key: lock === 'key' ? (idempotency?.key ?? null) : null };
}

function nameOf({ accountId, key }: LanePlace): string {
  return JSON.stringify([accountId, key]);
}
