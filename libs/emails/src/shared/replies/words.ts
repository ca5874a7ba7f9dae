import type { BounceReason } from './bounce-reasons.js';

/** Words with one meaning at every operator. */
export interface Words {
  /** Matched against a reply without its addresses and links, whose words may mean anything. */
  pattern: RegExp;
  meaning: BounceReason;
}
