import { isOwed, type RecipientState } from '../states/recipient-state.js';

const SEPARATOR = ',';
/** Characters. A domain has at most 253. */
const LONGEST = 255;

/**
 * The domain of the recipients that are still to be sent to. Several domains together are a destination of their own: which
 * of them a message waits for is not known, so that it must take the slots of none and make none look slow. Where they are
 * too many to be named, those that begin alike share their slots.
 */
export function destinationOf(recipients: readonly RecipientState[]): string {
  const domains = new Set(recipients.filter(isOwed).map(({ address }) => address.slice(address.lastIndexOf('@') + 1)));
  return [...domains].sort().join(SEPARATOR).slice(0, LONGEST);
}

/** Several domains are slow until they answer quickly: any number of emails can each be to others, and one of these may hang. */
export function isSeveral(destination: string): boolean {
  return destination.includes(SEPARATOR);
}
