import type { HandedEvent } from '../../index.js';
import { suppresses } from '../../shared/replies/suppresses.js';
import type { ReputationCounts } from './reputations.repository.js';

/**
 * The bounces, complaints and refusals in these events, of each account that has any.
 *
 * @param held operators whose refusals do not count as bounces. Default: none
 */
export function countReputation(
  events: readonly HandedEvent[],
  held: ReadonlySet<string> = new Set(),
): Map<string, ReputationCounts> {
  const accounts = new Map<string, ReputationCounts>();
  for (const { event } of events) {
    if (!('email' in event)) continue;
    const isHeld = event.bounce?.operator !== undefined && held.has(event.bounce.operator);
    const origin = isHeld ? undefined : suppresses(event);
    // A later report has no attempt.
    const isRefused = event.type === 'bounced' && event.attempt !== undefined;
    if (!origin && !isRefused) continue;
    const counts = accounts.get(event.accountId) ?? { bounces: 0, complaints: 0, refused: 0 };
    accounts.set(event.accountId, counts);
    if (origin === 'bounce') counts.bounces++;
    if (origin === 'complaint') counts.complaints++;
    if (isRefused) counts.refused++;
  }
  return accounts;
}
