import { GARBAGE } from './garbage.mjs';

/** Limits of a listening host. docs/operating.md documents those of memory. */
export const BUDGET = {
  /** Processor time of one tick of the event loop. Milliseconds of an ordinary machine. */
  tick: 200,
  /** Growth of resident memory since the first listening. Megabytes. */
  peak: 500 * GARBAGE,
  /** Memory in use while nothing is in progress. Megabytes. */
  kept: 100,
};
