import { ApiProblem } from './api-problem';

/** How often a server that is away is asked whether it is back. Milliseconds. */
export const PROBE_INTERVAL = 2_000;

/** How often what passes is asked for again. */
const PATIENCE = 2;

/**
 * Asks no refusal again. Silence is waited out, however long; what the server says will pass is asked for twice more, and so is
 * what nobody is signed in for, so that a screen has not failed before it is put aside for signing in.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.isSilence || (failures < PATIENCE && [401, 503].includes(error.status));
}

/** When to ask again. Milliseconds. */
export function retryDelay(failures: number, error: unknown): number {
  if (error instanceof ApiProblem && error.isSilence) return PROBE_INTERVAL;
  const wanted = error instanceof ApiProblem ? error.retryAfter : undefined;
  return wanted === undefined ? 1_000 * 2 ** failures : Math.min(wanted * 1_000, 30_000);
}
