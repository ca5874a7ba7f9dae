import fc from 'fast-check';
import { PATIENCE } from '../basics/patience.mjs';
import { IS_WHOLE } from './sample.js';

/** Share of a property's runs in a short run. */
const SHORT = 1 / 3;

/**
 * Checks a property in a set number of runs, a third of them in a short run, fewer on a slow machine. Prints the seed:
 * `PROPERTY_SEED=<seed> npm test` repeats a run.
 */
export async function holds<T>(property: fc.IAsyncProperty<T>, runsOfWhole: number): Promise<void> {
  const numRuns = IS_WHOLE ? runsOfWhole : Math.ceil(runsOfWhole * SHORT);
  const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`  seed ${seed}, ${numRuns} runs: ${expect.getState().currentTestName}\n`);
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: PATIENCE });
}
