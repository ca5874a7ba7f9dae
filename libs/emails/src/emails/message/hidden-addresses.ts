import { isKeptBack, type RecipientState } from '../states/recipient-state.js';

/** Removes refused recipients from the visible headers too (contract, section 2.3). @param refused in addition to earlier ones */
export function hiddenAddresses(
  recipients: readonly RecipientState[],
  refused: Iterable<string> = [],
): ReadonlySet<string> {
  const earlier = recipients.filter(isKeptBack).map(({ address }) => address);
  return new Set([...earlier, ...refused]);
}
