import { jest } from '@jest/globals';
import { fuzzCaller } from '../fuzz/caller/fuzz-caller.js';

/** Allowed wait of an account next to other suites. Milliseconds. */
const TOLERATED = 1_000;

it('answers every request within the contract, and lets no account see or delay another', async () => {
  const seed = jest.getSeed();
  process.stderr.write(`  seed ${seed}: random caller\n`);
  const found = await fuzzCaller({
    seed,
    seconds: 20,
    tolerated: TOLERATED,
    say: (text) => process.stderr.write(`  ${text}\n`),
  });
  expect(found).toEqual([]);
});
