import fc from 'fast-check';

/**
 * Checks a property in a set number of runs, fewer when they take longer than 40 seconds. Prints the seed:
 * `PROPERTY_SEED=<seed> npm test` repeats a run.
 */
export async function holds<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`  seed ${seed}, ${numRuns} runs: ${expect.getState().currentTestName}\n`);
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 40_000 });
}
