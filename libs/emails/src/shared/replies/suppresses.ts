import type { BounceKind } from './bounce.js';
import { isAboutAddress } from './bounce-reasons.js';

/** The parts of an event of an email that decide. */
interface Cause {
  type: string;
  reasonCode?: string | undefined;
  bounce?: BounceKind | undefined;
}

/** The origin of the entry that an event adds to the suppression list; undefined for an event that adds none. */
export function suppresses({ type, reasonCode, bounce }: Cause): 'bounce' | 'complaint' | undefined {
  if (type === 'complained') return 'complaint';
  if (type !== 'bounced' || bounce?.type !== 'Permanent') return undefined;
  return isAboutAddress(reasonCode) ? 'bounce' : undefined;
}
