import { ApiProblem } from './api-problem';

/** Interval of requests to an unreachable server. Milliseconds. */
export const PROBE_INTERVAL = 2_000;

/** Limit of retries for a temporary problem. */
const PATIENCE = 2;

/**
 * True to retry. Refusals are final. A missing answer is retried without a limit; a problem that the server calls
 * temporary is retried twice, and so is a missing sign-in, so that a screen does not fail before it is replaced by the
 * sign-in.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.isSilence || (failures < PATIENCE && [401, 503].includes(error.status));
}

/** Delay before the retry. Milliseconds. */
export function retryDelay(failures: number, error: unknown): number {
  if (error instanceof ApiProblem && error.isSilence) return PROBE_INTERVAL;
  const wanted = error instanceof ApiProblem ? error.retryAfter : undefined;
  return wanted === undefined ? 1_000 * 2 ** failures : Math.min(wanted * 1_000, 30_000);
}
