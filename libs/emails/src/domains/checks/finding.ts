import type { Advice } from '../records/advice.js';

/** Result of one look at a record. */
export interface Finding {
  /** The record is there, as it should be. */
  isRight: boolean;
  /** Values at its name, of its type. */
  found: readonly string[];
  advice: readonly Advice[];
}
