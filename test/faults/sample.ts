import type { Random } from '../support/basics/random.js';
import { FAULT_KINDS, type Scenario } from './scenarios/scenario.js';
import type { Hop, QueueKind } from './world/world.js';

/** A mail server, and whether it offers PIPELINING (RFC 2920), as most do. */
export interface Way {
  pipelining: boolean;
  hop: Hop;
}

/** A scenario on a queue, with a mail server. */
export interface Task extends Way {
  scenario: Scenario;
  kind: QueueKind;
}

/** A relay is sent envelopes ahead, behind the final dots of others. A final hop need not be. */
const BOTH_WAYS: readonly Way[] = [
  { pipelining: true, hop: 'relay' },
  { pipelining: false, hop: 'final' },
];
const USUAL_WAY: readonly Way[] = [{ pipelining: true, hop: 'final' }];

export function tasksOf(scenarios: readonly Scenario[], queues: readonly QueueKind[]): Task[] {
  return scenarios
    .flatMap((scenario) => queues.flatMap((kind) => waysOf(scenario).map((way) => ({ scenario, kind, ...way }))))
    .filter(({ scenario, kind }) => scenario.only === undefined || scenario.only === kind);
}

function waysOf({ bothWays }: Scenario): readonly Way[] {
  return bothWays ? BOTH_WAYS : USUAL_WAY;
}

/**
 * One task of each kind of fault, the longest first. A measuring scenario needs an idle machine, and belongs to the
 * whole run.
 */
export function sampleOf(tasks: readonly Task[], random: Random): Task[] {
  const shared = tasks.filter(({ scenario }) => !scenario.alone);
  return FAULT_KINDS.map((kind) => shared.filter(({ scenario }) => scenario.about === kind))
    .filter((ofKind) => ofKind.length > 0)
    .map((ofKind) => pickTask(ofKind, random))
    .sort((a, b) => b.scenario.minutes - a.scenario.minutes);
}

/** Chooses the scenario first: one with four tasks is no likelier than one with a single task. */
function pickTask(tasks: readonly Task[], random: Random): Task {
  const chosen = random.pick([...new Set(tasks.map(({ scenario }) => scenario))]);
  return random.pick(tasks.filter(({ scenario }) => scenario === chosen));
}
