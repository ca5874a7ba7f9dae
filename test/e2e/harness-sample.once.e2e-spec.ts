import { Random } from '../faults/random.js';
import { sampleOf, type Task, tasksOf } from '../faults/sample.js';
import { scenarios } from '../faults/scenarios/index.js';
import type { Scenario } from '../faults/scenarios/scenario.js';

const QUEUES = ['postgres', 'redis'] as const;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

const names = (tasks: readonly Task[]) => tasks.map(({ scenario, kind }) => `${scenario.name} (${kind})`);
const story = (name: string, minutes?: number): Scenario => ({
  name,
  rows: [],
  ...(minutes !== undefined && { minutes }),
  run: async () => {},
});

describe('a sample of the faults', () => {
  it('has every scenario there is on one queue at least, whatever the seed', () => {
    const all = tasksOf(scenarios, QUEUES);
    for (const seed of SEEDS) {
      const told = new Set(sampleOf(all, new Random(seed)).map(({ scenario }) => scenario));
      expect(scenarios.filter((scenario) => !told.has(scenario)).map(({ name }) => name)).toEqual([]);
    }
  });

  it('is repeated by its seed, and another by another', () => {
    const all = tasksOf(scenarios, QUEUES);
    const sample = (seed: number) => names(sampleOf(all, new Random(seed), scenarios.length));
    expect(sample(7)).toEqual(sample(7));
    expect(new Set(SEEDS.map((seed) => sample(seed).join())).size).toBeGreaterThan(SEEDS.length / 2);
  });

  it('takes no longer than it may, and leaves nothing out that would have fitted', () => {
    const all = tasksOf([story('one'), story('short', 0.5), story('long', 3)], QUEUES);
    for (const seed of SEEDS) {
      const chosen = sampleOf(all, new Random(seed), 4);
      const minutes = (tasks: readonly Task[]) => tasks.reduce((sum, { scenario }) => sum + (scenario.minutes ?? 1), 0);
      expect(minutes(chosen)).toBeLessThanOrEqual(4);
      const left = all.filter((task) => !chosen.includes(task));
      for (const task of left) expect(minutes([...chosen, task])).toBeGreaterThan(4);
    }
  });

  it('keeps to the queue that a scenario is about', () => {
    const all = tasksOf([{ ...story('its own'), only: 'redis' }, story('any')], QUEUES);
    expect(names(all)).toEqual(['its own (redis)', 'any (postgres)', 'any (redis)']);
    expect(names(sampleOf(all, new Random(1)))).toEqual(names(all));
  });
});
