import { jest } from '@jest/globals';
import { Random } from '../basics/random.js';

/** True in a whole run, as in `npm run verify`; false in the short run of `npm test`. */
export const IS_WHOLE = process.env.TEST_WHOLE === 'true';

/**
 * Cases of a long test: all of them in a whole run, `count` in a short one, chosen by jest's seed, which every run prints
 * (`npm test -- --seed N` repeats it).
 */
export function sample<T>(count: number, cases: readonly T[]): readonly T[] {
  return IS_WHOLE ? cases : new Random(jest.getSeed()).choose(cases, count);
}
