import type { SubscribedEmailEvent } from '../../index.js';
import { isAboutAddress } from '../../shared/replies/bounce-reasons.js';

/** The origin of the entry that an event adds; undefined for an event that adds none. */
export function suppresses({
  type,
  reasonCode,
  bounce,
}: Pick<SubscribedEmailEvent, 'type' | 'reasonCode' | 'bounce'>): 'bounce' | 'complaint' | undefined {
  if (type === 'complained') return 'complaint';
  if (type !== 'bounced' || bounce?.type !== 'Permanent') return undefined;
  return isAboutAddress(reasonCode) ? 'bounce' : undefined;
}
