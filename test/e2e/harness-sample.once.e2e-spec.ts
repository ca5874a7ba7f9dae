import { readOptions } from '../faults/options.js';
import { sampleOf, type Task, tasksOf } from '../faults/sample.js';
import { scenarios } from '../faults/scenarios/index.js';
import { FAULT_KINDS, type FaultKind, type Scenario } from '../faults/scenarios/scenario.js';
import { Random } from '../support/basics/random.js';

const QUEUES = ['postgres', 'redis'] as const;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
/** Enough for the rarest task, one of twenty of its kind, to be chosen. */
const MANY_SEEDS = Array.from({ length: 1_000 }, (_, seed) => seed);
/** Leaves a sample of three minutes time to start a database. */
const MOST_MINUTES = 2.5;

const all = tasksOf(scenarios, QUEUES);
const name = ({ scenario, kind, pipelining }: Task) => `${scenario.name} (${kind}, ${pipelining})`;
const sample = (seed: number, tasks = all) => sampleOf(tasks, new Random(`${seed}:sample`));
const story = (of: Pick<Scenario, 'name'> & Partial<Scenario>): Scenario => ({
  about: 'clocks',
  minutes: 1,
  rows: [],
  run: async () => {},
  ...of,
});

/** Minutes until the last of the tasks ends, when each starts as soon as one of this many slots is free. */
function minutesOf(tasks: readonly Task[], places: number): number {
  const ends = Array.from({ length: places }, () => 0);
  for (const { scenario } of tasks) {
    const first = ends.indexOf(Math.min(...ends));
    ends[first] = (ends[first] ?? 0) + scenario.minutes;
  }
  return Math.max(...ends);
}

describe('a sample of the faults', () => {
  it('has one scenario of each kind of fault for every seed', () => {
    const kinds = [...FAULT_KINDS].sort();
    for (const seed of SEEDS) {
      expect(
        sample(seed)
          .map(({ scenario }) => scenario.about)
          .sort(),
      ).toEqual(kinds);
    }
  });

  it('ends in time for every seed', () => {
    const { parallel } = readOptions(['--sample'], true);
    for (const seed of MANY_SEEDS) expect(minutesOf(sample(seed), parallel)).toBeLessThanOrEqual(MOST_MINUTES);
    // No seed can be unluckier: the longest scenario of each kind.
    const unluckiest = sampleOf(FAULT_KINDS.map(longestOf), new Random(0));
    expect(minutesOf(unluckiest, parallel)).toBeLessThanOrEqual(MOST_MINUTES);
  });

  it('reaches every scenario on each of its queues, with and without PIPELINING', () => {
    const chosen = new Set(MANY_SEEDS.flatMap((seed) => sample(seed).map(name)));
    const shared = all.filter(({ scenario }) => !scenario.alone).map(name);
    expect(shared.filter((task) => !chosen.has(task))).toEqual([]);
    expect(chosen.size).toBe(shared.length);
  });

  it('is repeated by its seed, and another by another', () => {
    const names = (seed: number) => sample(seed).map(name).join();
    expect(names(7)).toEqual(names(7));
    expect(new Set(SEEDS.map(names)).size).toBeGreaterThan(SEEDS.length / 2);
  });

  it('starts with the longest, and leaves measuring ones to the whole run', () => {
    const tasks = tasksOf(
      [
        story({ name: 'short', minutes: 0.2 }),
        story({ name: 'long', minutes: 0.9, about: 'webhooks' }),
        story({ name: 'measures', minutes: 2, about: 'queue lost', alone: true }),
      ],
      ['redis'],
    );
    expect(sample(1, tasks).map(({ scenario }) => scenario.name)).toEqual(['long', 'short']);
  });

  it('respects the queue of a scenario', () => {
    const tasks = tasksOf([story({ name: 'its own', only: 'redis' }), story({ name: 'any' })], QUEUES);
    expect(tasks.map(({ scenario, kind }) => `${scenario.name} (${kind})`)).toEqual([
      'its own (redis)',
      'any (postgres)',
      'any (redis)',
    ]);
  });
});

function longestOf(kind: FaultKind): Task {
  const [longest] = all
    .filter(({ scenario }) => scenario.about === kind && !scenario.alone)
    .sort((a, b) => b.scenario.minutes - a.scenario.minutes);
  if (!longest) throw new Error(`No scenario is about "${kind}".`);
  return longest;
}
