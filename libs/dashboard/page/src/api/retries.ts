import { ApiProblem } from './client';

/** How often a server that is away is asked whether it is back. Milliseconds. */
export const PROBE_INTERVAL = 2_000;

/** Asks no refusal again. Silence is waited out, however long; what the server says will pass is asked for twice more. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.isSilence || (failures < 2 && error.status === 503);
}

/** When to ask again. Milliseconds. */
export function retryDelay(failures: number, error: unknown): number {
  if (error instanceof ApiProblem && error.isSilence) return PROBE_INTERVAL;
  const wanted = error instanceof ApiProblem ? error.retryAfter : undefined;
  return wanted === undefined ? 1_000 * 2 ** failures : Math.min(wanted * 1_000, 30_000);
}
