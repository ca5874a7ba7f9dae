import fc from 'fast-check';
import { PATIENCE } from '../basics/patience.mjs';

/**
 * Checks a property in a set number of runs, fewer on a machine that takes long over them. Prints the seed:
 * `PROPERTY_SEED=<seed> npm test` repeats a run.
 */
export async function holds<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`  seed ${seed}, ${numRuns} runs: ${expect.getState().currentTestName}\n`);
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: PATIENCE });
}
