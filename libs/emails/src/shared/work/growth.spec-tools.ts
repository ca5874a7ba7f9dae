/** Turns of a measurement, of which the best counts. */
const TURNS = 5;

/**
 * How many times as much work there is with sixteen times the size: about 16 when it grows with the size, 256 when it
 * grows with its square. Measured in processor time, which neither the speed of the machine nor what else it does
 * changes in relation to itself.
 *
 * @param size large enough for the work to be felt, some milliseconds
 */
export function growth(work: (size: number) => unknown, size: number): number {
  return costOf(() => work(16 * size)) / costOf(() => work(size));
}

/** As far from what linear work comes to as from what the square of it does. */
export const LINEAR = 64;

/** Microseconds of processor time that work takes: good for nothing but to be held against another such figure. */
export function costOf(work: () => unknown, turns = TURNS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}
