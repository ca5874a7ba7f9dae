import type { Caller } from '../../shared/callers/caller.js';

/** The caller whose changes of contacts are recorded: programs write contacts all the time, people on the page do not. */
export function byPage(caller: Caller): Caller | undefined {
  return caller.page ? caller : undefined;
}
