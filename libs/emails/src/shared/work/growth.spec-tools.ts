/** Rounds of a measurement; the best one counts. */
const TURNS = 5;

/**
 * Growth factor of the work for sixteen times the size: about 16 for linear work, 256 for quadratic work. Measured in
 * processor time, so that neither the speed of the machine nor other load changes the ratio.
 *
 * @param size large enough for measurable work, some milliseconds
 */
export function growth(work: (size: number) => unknown, size: number): number {
  return costOf(() => work(16 * size)) / costOf(() => work(size));
}

/** Equally far from the factors of linear and of quadratic work. */
export const LINEAR = 64;

/** Processor time of the work in microseconds, only for comparison with another such figure. */
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
