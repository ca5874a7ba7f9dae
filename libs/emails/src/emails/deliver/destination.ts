import { domainOf } from '../../shared/mailbox/domain-of.js';
import { isPending, type RecipientState } from '../states/recipient-state.js';

const SEPARATOR = ',';
/** Limit of a destination's name, in characters. A domain has at most 253. */
const LONGEST = 255;

/**
 * Returns the domain of the pending recipients. Several domains together are a separate destination: it is unknown
 * which of them a message waits for, so it must not use their slots or make one of them look slow. Where the names are
 * too long together, destinations with the same beginning share their slots.
 */
export function destinationOf(recipients: readonly RecipientState[]): string {
  const domains = new Set(recipients.filter(isPending).map(({ address }) => domainOf(address)));
  return [...domains].sort().join(SEPARATOR).slice(0, LONGEST);
}

/**
 * Several domains count as slow until they answer quickly: any number of emails may go to such groups, and one domain
 * may hang.
 */
export function isSeveral(destination: string): boolean {
  return destination.includes(SEPARATOR);
}
