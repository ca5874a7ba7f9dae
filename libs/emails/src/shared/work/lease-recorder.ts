import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isPassing, sqlState } from '../errors/database-errors.js';
import { Batcher, type BatcherOptions } from './batcher.js';
import type { LeaseWrite } from './lease-write.js';
import { Semaphore } from './semaphore.js';

/** How long an end is kept in memory while it cannot be written, and how often it is offered. Milliseconds. */
const PATIENCE = 120_000;
const LOCKED_PATIENCE = 900_000;
const INTERVAL = 250;
/** Connections on which ends wait for a lock. */
const WAITING_CONNECTIONS = 2;

/** What is left of an end that was offered: what was written, or why nothing was. */
export type EndWrite<Written extends object> = Written | Exclude<LeaseWrite, 'done'>;

export interface EndStorage<End, Written extends object> {
  /** Records ends. One answer per end, in order. */
  close(ends: readonly End[]): Promise<readonly EndWrite<Written>[]>;
  /** The same for one end, and waits until nobody has its row locked. */
  closeLocked(end: End): Promise<EndWrite<Written>>;
}

/**
 * Records how attempts under a lease end, many in one statement. What was taken must not be sent again for want of a note:
 * so it insists while PostgreSQL is away, and while somebody has a row locked.
 */
export class LeaseRecorder<End, Written extends object> {
  private readonly logger = new Logger(LeaseRecorder.name);
  private readonly ends: Batcher<End, EndWrite<Written>>;
  private readonly waiting = new Semaphore(WAITING_CONNECTIONS);

  /** @param ended what it is that ends, for the log: `the delivery of an email` */
  constructor(
    private readonly storage: EndStorage<End, Written>,
    runs: BatcherOptions,
    private readonly ended: string,
  ) {
    this.ends = new Batcher((ends) => storage.close(ends), runs);
  }

  /**
   * Resolves with what was written, undefined when the lease was lost. Rejects when the end cannot be
   * written: then it is tried again.
   */
  async record(end: End): Promise<Written | undefined> {
    try {
      const written = await this.offer(end);
      return written === 'locked' ? await this.recordLocked(end) : writtenOf(written);
    } catch (error) {
      this.logger.error(`How ${this.ended} ended could not be recorded${stateOf(error)}. It will be tried again.`);
      throw error;
    }
  }

  /** Insists while PostgreSQL is away. */
  private async offer(end: End): Promise<EndWrite<Written>> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await this.ends.add(end);
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline) throw error;
        await setTimeout(INTERVAL);
      }
    }
  }

  /**
   * Offers the end again and again, since most locks are short, and beside that waits for the lock itself, so that it comes
   * first when a long one is free.
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
      // Perhaps by the statement that waits.
      if (written === 'lost') return writtenOf(await alone);
      if (written !== 'locked') return written;
    }
    throw new Error('Somebody keeps its row locked.');
  }
}

function writtenOf<Written extends object>(written: EndWrite<Written> | undefined): Written | undefined {
  return typeof written === 'string' ? undefined : written;
}

function stateOf(error: unknown): string {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state === undefined ? '' : ` (${state})`;
}
