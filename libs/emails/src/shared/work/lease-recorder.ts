import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isPassing, sqlState } from '../errors/database-errors.js';
import { Batcher, type BatcherOptions } from './batcher.js';
import type { LeaseWrite } from './lease-write.js';
import { Semaphore } from './semaphore.js';

/** Time for which an unwritten end is kept in memory, and the interval of retries. Milliseconds. */
const PATIENCE = 120_000;
const LOCKED_PATIENCE = 900_000;
const INTERVAL = 250;
/** Limit of connections on which ends wait for a lock. */
const WAITING_CONNECTIONS = 2;

/** Result of a write: the written row, or the reason why nothing was written. */
export type EndWrite<Written extends object> = Written | Exclude<LeaseWrite, 'done'>;

export interface EndStorage<End, Written extends object> {
  /** Records ends. One answer per end, in order. */
  close(ends: readonly End[]): Promise<readonly EndWrite<Written>[]>;
  /** The same for one end; waits until its row is unlocked. */
  closeLocked(end: End): Promise<EndWrite<Written>>;
}

/**
 * Records the ends of attempts under a lease, many in one statement. An accepted message must not be sent again because
 * its record is missing, so it retries while PostgreSQL is away, and while another transaction has a row locked.
 */
export class LeaseRecorder<End, Written extends object> {
  private readonly logger = new Logger(LeaseRecorder.name);
  private readonly ends: Batcher<End, EndWrite<Written>>;
  private readonly waiting = new Semaphore(WAITING_CONNECTIONS);

  /** @param ended name of the work, for the log: `the delivery of an email` */
  constructor(
    private readonly storage: EndStorage<End, Written>,
    runs: BatcherOptions,
    private readonly ended: string,
  ) {
    this.ends = new Batcher((ends) => storage.close(ends), runs);
  }

  /**
   * Resolves with the written row, or undefined after a lost lease. Rejects when the end cannot be written; then the
   * work is tried again.
   *
   * @param isUrgent see `Batcher`
   */
  async record(end: End, isUrgent = false): Promise<Written | undefined> {
    try {
      const written = await this.offer(end, isUrgent);
      return written === 'locked' ? await this.recordLocked(end) : writtenOf(written);
    } catch (error) {
      this.logger.error(`How ${this.ended} ended could not be recorded${stateOf(error)}. It will be tried again.`);
      throw error;
    }
  }

  /** Retries while PostgreSQL is away. */
  private async offer(end: End, isUrgent = false): Promise<EndWrite<Written>> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await this.ends.add(end, isUrgent);
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline) throw error;
        await setTimeout(INTERVAL);
      }
    }
  }

  /**
   * Retries the write, since most locks are short, and meanwhile waits for the lock itself, to be first after a long
   * one.
   */
  private async recordLocked(end: End): Promise<Written | undefined> {
    const deadline = performance.now() + LOCKED_PATIENCE;
    let alone: Promise<EndWrite<Written>> | undefined;
    while (performance.now() < deadline) {
      alone ??= this.waiting.run(() => this.storage.closeLocked(end)).catch(() => 'locked' as const);
      const first = await Promise.race([alone, setTimeout(INTERVAL)]);
      if (typeof first === 'object') return first;
      if (first !== undefined) alone = undefined;
      const written = await this.offer(end);
      // Possibly by the waiting statement.
      if (written === 'lost') return writtenOf(await alone);
      if (written !== 'locked') return written;
    }
    throw new Error('Another transaction keeps its row locked.');
  }
}

function writtenOf<Written extends object>(written: EndWrite<Written> | undefined): Written | undefined {
  return typeof written === 'string' ? undefined : written;
}

function stateOf(error: unknown): string {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state === undefined ? '' : ` (${state})`;
}
