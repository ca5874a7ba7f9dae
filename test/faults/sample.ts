import type { Random } from './random.js';
import type { Scenario } from './scenarios/scenario.js';
import type { QueueKind } from './world/world.js';

/** A scenario on a queue, before a mail server that offers PIPELINING (RFC 2920), as most do, or does not. */
export interface Task {
  scenario: Scenario;
  kind: QueueKind;
  pipelining: boolean;
}

/** Minutes of scenarios in a sample: three at a time, they are over in nine. */
export const SAMPLE_MINUTES = 27;

export function tasksOf(scenarios: readonly Scenario[], queues: readonly QueueKind[]): Task[] {
  return scenarios
    .flatMap((scenario) =>
      queues.flatMap((kind) => waysOf(scenario).map((pipelining) => ({ scenario, kind, pipelining }))),
    )
    .filter(({ scenario, kind }) => scenario.only === undefined || scenario.only === kind);
}

function waysOf({ bothWays }: Scenario): boolean[] {
  return bothWays ? [true, false] : [true];
}

/**
 * As many tasks as there is time for, in an order of chance: every scenario has its turn, on one queue or the other and in
 * one way or the other, before any has its second. A task that is too long for what is left is passed over.
 *
 * @param minutes of all tasks together
 */
export function sampleOf(tasks: readonly Task[], random: Random, minutes = SAMPLE_MINUTES): Task[] {
  const shuffled = shuffle(tasks, random);
  const isFirst = ({ scenario }: Task, index: number) =>
    shuffled.findIndex((task) => task.scenario === scenario) === index;
  const firsts = shuffled.filter(isFirst);
  const chosen = new Set<Task>();
  let left = minutes;
  for (const task of [...firsts, ...shuffled.filter((one) => !firsts.includes(one))]) {
    const { minutes: needed = 1 } = task.scenario;
    if (needed > left) continue;
    left -= needed;
    chosen.add(task);
  }
  return tasks.filter((task) => chosen.has(task));
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
