/** Rounds of a measurement; the best one counts, because garbage of other tests may be collected within a turn. */
const ROUNDS = 5;

/**
 * The cost of work: all of its processor time, and the largest part of it in one turn of the event loop. Microseconds.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<Turns> {
  let best = await measureTurns(work);
  for (let round = 1; round < ROUNDS; round++) {
    const turns = await measureTurns(work);
    if (turns.longest / turns.all < best.longest / best.all) best = turns;
  }
  return best;
}

interface Turns {
  all: number;
  longest: number;
}

async function measureTurns(work: () => Promise<unknown>): Promise<Turns> {
  let all = 0;
  let longest = 0;
  let before = process.cpuUsage();
  const measure = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    all += user + system;
    longest = Math.max(longest, user + system);
  };
  let next = setImmediate(function turn() {
    measure();
    next = setImmediate(turn);
  });
  await work();
  clearImmediate(next);
  measure();
  return { all, longest };
}
