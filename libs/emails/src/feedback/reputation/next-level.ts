import type { ReputationVerdict } from './reputation-rates.js';

/** Time with good rates that ends a warning. Milliseconds. */
const QUIET = 3_600_000;

export type ReputationLevel = 'warn' | 'hold' | null;

/** The level of an account so far. */
export interface ReputationState {
  level: ReputationLevel;
  /** Begin of the level. */
  since: Date | null;
  /** The last time the rates were bad. */
  badAt: Date | null;
}

/** The state after a verdict. A hold ends by hand alone; a warning ends after an hour with good rates. */
export function nextLevel(state: ReputationState, verdict: ReputationVerdict, now: Date): ReputationState {
  const { level, badAt } = state;
  if (verdict === 'nothing') {
    const isOver = level === 'warn' && now.getTime() - (badAt?.getTime() ?? 0) >= QUIET;
    return isOver ? { ...state, level: null } : state;
  }
  if (level === 'hold' || level === verdict) return { ...state, badAt: now };
  return { level: verdict, since: now, badAt: now };
}
