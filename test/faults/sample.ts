import type { Random } from '../support/basics/random.js';
import { FAULT_KINDS, type Scenario } from './scenarios/scenario.js';
import type { QueueKind } from './world/world.js';

/** A scenario on a queue, with a mail server that offers PIPELINING (RFC 2920), as most do, or does not. */
export interface Task {
  scenario: Scenario;
  kind: QueueKind;
  pipelining: boolean;
}

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
 * One task of each kind of fault, the longest first. A scenario that measures needs the machine for itself and is left to
 * the whole run.
 */
export function sampleOf(tasks: readonly Task[], random: Random): Task[] {
  const shared = tasks.filter(({ scenario }) => !scenario.alone);
  return FAULT_KINDS.map((kind) => shared.filter(({ scenario }) => scenario.about === kind))
    .filter((ofKind) => ofKind.length > 0)
    .map((ofKind) => pickTask(ofKind, random))
    .sort((a, b) => b.scenario.minutes - a.scenario.minutes);
}

/** The scenario first: one with four tasks is no likelier than one with a single task. */
function pickTask(tasks: readonly Task[], random: Random): Task {
  const chosen = random.pick([...new Set(tasks.map(({ scenario }) => scenario))]);
  return random.pick(tasks.filter(({ scenario }) => scenario === chosen));
}
