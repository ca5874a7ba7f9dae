import { readdirSync, readFileSync } from 'node:fs';
import { ALWAYS, BUDGET, chooseSuites } from '../support/jest/choose-suites.mjs';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const RECORDED: Record<string, number> = JSON.parse(
  readFileSync(new URL('../support/jest/seconds.json', import.meta.url), 'utf8'),
);

const suites = Object.entries(RECORDED)
  .map(([name, seconds]) => ({ name, seconds }))
  .filter(({ name }) => !name.startsWith('unit '));
const named = (name: string, seconds: number) => ({ name: `e2e postgres test/e2e/${name}.e2e-spec.ts`, seconds });
const secondsOf = (chosen: readonly { seconds: number }[]) => chosen.reduce((sum, { seconds }) => sum + seconds, 0);

describe('the suites of a short run', () => {
  it('fit into their time for every seed', () => {
    for (const seed of SEEDS) {
      const { chosen, leftOut } = chooseSuites(suites, seed);
      expect([...chosen, ...leftOut]).toHaveLength(suites.length);
      expect(secondsOf(chosen)).toBeLessThanOrEqual(BUDGET);
      expect(secondsOf(chosen)).toBeGreaterThan(BUDGET * 0.95);
    }
  });

  it('are each suite for some seed', () => {
    const chosen = new Set(SEEDS.flatMap((seed) => chooseSuites(suites, seed).chosen));
    expect(suites.filter((suite) => !chosen.has(suite))).toEqual([]);
  });

  it('are the same for the same seed', () => {
    const namesOf = (all: typeof suites) =>
      chooseSuites(all, 7)
        .chosen.map(({ name }) => name)
        .sort();
    expect(namesOf([...suites].reverse())).toEqual(namesOf(suites));
  });

  it('always include the short ones, those without a record, and mandatory ones', () => {
    const short = [named('new.once', 0), named('short', 10), named('batch', 50), named('states', 1_000)];
    expect(chooseSuites([...short, named('long.once', 11)], 1, 0)).toEqual({
      chosen: short,
      leftOut: [named('long.once', 11)],
    });
  });

  it('are named as there are files', () => {
    const folders = ['.', '../browser'].map((folder) => new URL(folder, import.meta.url));
    const stems = folders.flatMap((folder) => readdirSync(folder)).map((file) => file.split('.')[0]);
    expect(ALWAYS.filter((name) => !stems.includes(name))).toEqual([]);
  });
});
