export interface Violation {
  promise: string;
  /** The steps that lead there. */
  steps: string[];
}

export interface Exploration {
  states: number;
  /** The shortest way to the first broken promise; undefined when all are kept. */
  violation: Violation | undefined;
}

interface Visited<State> {
  state: State;
  from: Visited<State> | undefined;
  by: string;
  /** True if an end can be reached. */
  canEnd: boolean;
  before: Visited<State>[];
}

/**
 * Visits every state, nearest first, and stops at the first that breaks a promise. An end must be in reach of each.
 *
 * @param promises name of each, and whether a state keeps it
 */
export function explore<State>(
  first: State,
  stepsOf: (state: State) => { name: string; next: State }[],
  promises: Readonly<Record<string, (state: State) => boolean>>,
  isOver: (state: State) => boolean,
): Exploration {
  const known = new Map<string, Visited<State>>();
  const queue: Visited<State>[] = [];
  const visit = (state: State, from: Visited<State> | undefined, by: string) => {
    const key = JSON.stringify(state);
    let visited = known.get(key);
    if (!visited) {
      visited = { state, from, by, canEnd: false, before: [] };
      known.set(key, visited);
      queue.push(visited);
    }
    if (from) visited.before.push(from);
  };
  visit(first, undefined, '');
  for (const visited of queue) {
    for (const [promise, isKept] of Object.entries(promises)) {
      if (!isKept(visited.state)) return { states: known.size, violation: { promise, steps: wayTo(visited) } };
    }
    for (const { name, next } of stepsOf(visited.state)) visit(next, visited, name);
  }
  const ends = queue.filter(({ state }) => isOver(state));
  for (const visited of ends) {
    if (visited.canEnd) continue;
    visited.canEnd = true;
    ends.push(...visited.before);
  }
  const stuck = queue.find(({ canEnd }) => !canEnd);
  return { states: known.size, violation: stuck && { promise: 'an end is in reach', steps: wayTo(stuck) } };
}

function wayTo<State>(visited: Visited<State>): string[] {
  const steps: string[] = [];
  for (let at: Visited<State> | undefined = visited; at?.from; at = at.from) steps.unshift(at.by);
  return steps;
}
