/**
 * The cost of work: all of its processor time, and the largest part of it in one turn of the event loop. Microseconds.
 * The work is done twice and the better time counts, because garbage of other tests may be collected within a turn.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<Turns> {
  const [first, second] = [await measureTurns(work), await measureTurns(work)];
  return first.longest / first.all < second.longest / second.all ? first : second;
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
