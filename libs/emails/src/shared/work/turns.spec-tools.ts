/** What work cost: all of its processor time, and the most in one turn of the event loop. Microseconds. */
export async function turnsOf(work: () => Promise<unknown>): Promise<{ all: number; longest: number }> {
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
