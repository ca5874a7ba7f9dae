import type { Advice } from '../records/advice.js';
import type { RecordStatus } from './domain-status.js';

/** State of one record. */
export interface RecordCheck {
  status: RecordStatus;
  /** Begin of the 72 h in which it is waited for, ISO 8601; null while it is there, and before the first request. */
  since: string | null;
  /** Records of its name and type at the last check that got an answer, shortened; null before the first. */
  found: string[] | null;
  advice: Advice[];
  /** The value of the record when it was last there. Absent: it never was. */
  verifiedValue?: string;
}

/** By the key of the record: `dkim s2611r`, `spf mx`, `spf txt`, `challenge`, `dmarc`. */
export type RecordChecks = Readonly<Record<string, RecordCheck>>;
