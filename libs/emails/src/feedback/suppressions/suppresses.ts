import type { SubscribedEmailEvent } from '../../index.js';

/** Reason codes that are about the address itself: nobody gets mail there. */
const ABOUT_THE_ADDRESS = new Set(['address_unknown', 'address_disabled', 'address_invalid', 'domain_not_found']);

/** The origin of the entry that an event adds; undefined for an event that adds none. */
export function suppresses({
  type,
  reasonCode = '',
  bounce,
}: Pick<SubscribedEmailEvent, 'type' | 'reasonCode' | 'bounce'>): 'bounce' | 'complaint' | undefined {
  if (type === 'complained') return 'complaint';
  if (type !== 'bounced' || bounce?.type !== 'Permanent') return undefined;
  return ABOUT_THE_ADDRESS.has(reasonCode) ? 'bounce' : undefined;
}
