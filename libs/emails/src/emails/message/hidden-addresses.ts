import type { RecipientState } from '../states/recipient-state.js';

/** Whoever is not sent to leaves the visible headers too (contract, section 2.3). @param refused besides those who were before */
export function hiddenAddresses(
  recipients: readonly RecipientState[],
  refused: Iterable<string> = [],
): ReadonlySet<string> {
  const earlier = recipients.filter(({ status }) => status === 'suppressed').map(({ address }) => address);
  return new Set([...earlier, ...refused]);
}
