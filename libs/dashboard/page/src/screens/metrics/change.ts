import { countOf, percentOf } from '../../parts/numbers';

/** Factor from which a multiple is clearer than a number of percent. */
const MANIFOLD = 10;

/** A number compared with the one before. */
export interface Change {
  direction: 'up' | 'down' | 'same';
  /** "12.5 %", "20 times", "from 0". Empty when it is the same. */
  by: string;
}

/** The change of a count from the period before. */
export function changeOf(present: number, before: number): Change {
  if (present === before) return { direction: 'same', by: '' };
  const direction = present > before ? 'up' : 'down';
  if (before === 0) return { direction, by: `from ${countOf(0)}` };
  if (present >= MANIFOLD * before) return { direction, by: `${countOf(Math.round(present / before))} times` };
  return { direction, by: percentOf((Math.abs(present - before) / before) * 100) };
}
