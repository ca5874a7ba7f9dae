import type { BounceReason } from './bounce-reasons.js';
import type { SmtpStage } from './smtp-stages.js';

/** Words with one meaning at every operator. */
export interface Words {
  /** Matched against a reply without its addresses and links, whose words may mean anything. */
  pattern: RegExp;
  meaning: BounceReason;
  /** Refused commands at which they have it. Default: any, and an unknown one. */
  stages?: readonly SmtpStage[];
}
