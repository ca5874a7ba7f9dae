import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isPassing, sqlState } from '../../shared/errors/database-errors.js';
import { Batcher, type BatcherOptions } from '../../shared/work/batcher.js';
import { insist } from '../../shared/work/insist.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { DeliveryRepository, LeaseClose, LeaseEnd, RecordedEvent } from '../storage/delivery.repository.js';

/** How long an end is kept in memory while it cannot be written, and how often it is offered. Milliseconds. */
const PATIENCE = 120_000;
const LOCKED_PATIENCE = 900_000;
const INTERVAL = 250;
/** Connections on which ends wait for a lock. */
const WAITING_CONNECTIONS = 2;

/**
 * Records how leases end, many in one statement. What the next hop took must not be sent again for want of a note: so it
 * insists while PostgreSQL is away, and while somebody has a row of the email locked.
 */
export class LeaseRecorder {
  private readonly logger = new Logger(LeaseRecorder.name);
  private readonly ends: Batcher<LeaseEnd, LeaseClose>;
  private readonly waiting = new Semaphore(WAITING_CONNECTIONS);

  constructor(
    private readonly storage: Pick<DeliveryRepository, 'close' | 'closeLocked'>,
    runs: BatcherOptions,
  ) {
    this.ends = new Batcher((ends) => storage.close(ends), runs);
  }

  /**
   * Resolves with the events as they were recorded, undefined when the lease was lost. Rejects when the end cannot be
   * written: the email is then tried again.
   */
  async record(end: LeaseEnd): Promise<readonly RecordedEvent[] | undefined> {
    try {
      const written = await this.offer(end);
      return written === 'locked' ? await this.recordLocked(end) : eventsOf(written);
    } catch (error) {
      this.logger.error(
        `How the delivery of an email ended could not be recorded${stateOf(error)}. It will be tried again.`,
      );
      throw error;
    }
  }

  /** Insists while PostgreSQL is away. */
  private offer(end: LeaseEnd): Promise<LeaseClose> {
    return insist(() => this.ends.add(end), isPassing, { patience: PATIENCE, interval: INTERVAL });
  }

  /**
   * Offers the end again and again, since most locks are short, and beside that waits for the lock itself, so that it comes
   * first when a long one is free.
   */
  private async recordLocked(end: LeaseEnd): Promise<readonly RecordedEvent[] | undefined> {
    const deadline = performance.now() + LOCKED_PATIENCE;
    let alone: Promise<LeaseClose> | undefined;
    while (performance.now() < deadline) {
      alone ??= this.waiting.run(() => this.storage.closeLocked(end)).catch(() => 'locked' as const);
      const first = await Promise.race([alone, setTimeout(INTERVAL)]);
      if (Array.isArray(first)) return first;
      if (first !== undefined) alone = undefined;
      const written = await this.offer(end);
      // Perhaps by the statement that waits.
      if (written === 'lost') return eventsOf(await alone);
      if (written !== 'locked') return written;
    }
    throw new Error('Somebody keeps an email locked.');
  }
}

function eventsOf(written: LeaseClose | undefined): readonly RecordedEvent[] | undefined {
  return typeof written === 'string' ? undefined : written;
}

function stateOf(error: unknown): string {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state === undefined ? '' : ` (${state})`;
}
