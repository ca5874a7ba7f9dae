import { Random } from '../support/basics/random.js';

/**
 * Repeats a run with another seed each time; after this many minutes no further run begins. The seeds follow from the
 * first. Resolves with 1 if any run failed.
 */
export async function repeat(minutes: number, seed: number, run: (seed: number) => Promise<number>): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  const seeds = new Random(seed);
  const failed: number[] = [];
  let runs = 0;
  for (let next = seed; runs === 0 || performance.now() < end; next = seeds.int(0, 999_999_999)) {
    if ((await run(next)) !== 0) failed.push(next);
    runs += 1;
  }
  console.log(
    `${runs} runs from seed ${seed}, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}.`,
  );
  return failed.length > 0 ? 1 : 0;
}
