import type { Advice } from '../records/advice.js';
import type { RecordStatus } from './domain-status.js';

/** Result of the checks of one record. */
export interface RecordCheck {
  status: RecordStatus;
  /** Since when it has been missing without a break, ISO 8601; null while it is there. */
  missing_since: string | null;
  /** Records that were there at the last check that got an answer, shortened; null before the first. */
  found: string[] | null;
  advice: Advice[];
}

/** By the key of the record: `dkim s2611r`, `spf mx`, `spf txt`, `challenge`, `dmarc`. */
export type RecordChecks = Readonly<Record<string, RecordCheck>>;
