import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Batcher, type BatcherOptions } from '../batching/batcher.js';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import type { DeliveryRepository, LeaseEnd, LeaseWrite } from '../storage/delivery.repository.js';

/** How long the end of an attempt is kept in memory while it cannot be written, and how often it is offered. Milliseconds. */
const PATIENCE = 120_000;
const INTERVAL = 250;

/**
 * Records how leases end, many in one statement. What the next hop took must not be sent again for want of a note: so it
 * insists while PostgreSQL is away, and while somebody has a row of the email locked.
 */
export class LeaseRecorder {
  private readonly logger = new Logger(LeaseRecorder.name);
  private readonly ends: Batcher<LeaseEnd, LeaseWrite>;
  /** These wait for the lock, one after the other, so that they come first when it is free and hold up nobody else. */
  private readonly lockedEnds: Batcher<LeaseEnd, LeaseWrite>;

  constructor(storage: Pick<DeliveryRepository, 'close' | 'closeLocked'>, runs: BatcherOptions) {
    this.ends = new Batcher((ends) => storage.close(ends), runs);
    this.lockedEnds = new Batcher((ends) => Promise.all(ends.map((end) => storage.closeLocked(end))), { maxSize: 1 });
  }

  /** False when the lease was lost. Rejects when the end cannot be written: the email is then tried again. */
  async record(end: LeaseEnd): Promise<boolean> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      try {
        const written = await this.write(end);
        if (written !== 'locked') return written === 'done';
      } catch (error) {
        if (isDatabaseUnavailable(error) && performance.now() < deadline) {
          await setTimeout(INTERVAL);
          continue;
        }
        this.logger.error(
          `How an email's turn ended could not be recorded${stateOf(error)}. Another turn will follow.`,
        );
        throw error;
      }
    }
  }

  private async write(end: LeaseEnd): Promise<LeaseWrite> {
    const written = await this.ends.add(end);
    return written === 'locked' ? this.lockedEnds.add(end) : written;
  }
}

function stateOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
}
