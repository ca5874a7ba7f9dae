import { setTimeout } from 'node:timers/promises';
import type { LeaseWrite } from './lease-write.js';

/** How often it is tried. Milliseconds. */
const INTERVAL = 250;

/**
 * Ends a lease, so that the next process need not wait for its time to be over: tried again while PostgreSQL is away or
 * somebody has the row locked, for as long as the lease lasts by itself.
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
