import { setTimeout } from 'node:timers/promises';
import type { LeaseWrite } from './lease-write.js';

/** Interval of retries. Milliseconds. */
const INTERVAL = 250;

/**
 * Releases a lease, so that the next process need not wait for its end. It is tried again while PostgreSQL is away or
 * the row is locked, until the lease would expire.
 *
 * @param duration of the lease, in milliseconds
 */
export async function endLease(release: () => Promise<LeaseWrite>, duration: number): Promise<void> {
  for (const deadline = performance.now() + duration; performance.now() < deadline; ) {
    const written = await release().catch(() => 'locked' as const);
    if (written !== 'locked') return;
    await setTimeout(INTERVAL, undefined, { ref: false });
  }
}
