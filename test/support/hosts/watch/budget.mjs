/** Limits of a host, from listening on. docs/operating.md states those of memory. */
export const BUDGET = {
  /** Processor time of one tick of the event loop. Milliseconds of an ordinary machine. */
  tick: 200,
  /** Resident memory, beyond that at the first listening. Megabytes. */
  peak: 500,
  /** Memory that is still used once nothing is in progress. Megabytes. */
  kept: 100,
};
