import { until } from '../../support/basics/wait-for.js';
import type { Slot } from '../world/slot.js';
import { stock } from '../world/stock.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const WAITING = 'b1';
const FLUSHED = 'b2';
const MANY = 5_000;
const VERY_MANY = 100_000;
/** Relative to the rate of a queue that knows the pending emails. */
const LEAST = 0.8;
/** Number of measurements on a shared machine; the best one counts. */
const LOOKS = 3;
/** Upper bound for one email on a slow machine. Milliseconds. */
const SLOWEST = 100;

/** The queue forgets many pending emails. They are sent as fast as from a queue that knows them. */
export const backlog: Scenario = {
  name: 'flushed backlog',
  about: 'queue lost',
  minutes: 1.5,
  alone: true,
  rows: [
    { id: WAITING, fault: 'many emails waiting in the queue, for comparison' },
    { id: FLUSHED, fault: 'a queue flushed while many wait' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    // Makes the account.
    await world.api.start();
    const count = factor > 1 ? VERY_MANY : MANY;
    let best = 0;
    for (let look = 0; look < LOOKS && best < LEAST; look++) {
      const known = await rate(world, worker, WAITING, count);
      const forgotten = await rate(world, worker, FLUSHED, count);
      world.hit(FLUSHED);
      best = Math.max(best, forgotten / known);
    }
    world.remarks.set(FLUSHED, `${count} drained at ${best.toFixed(2)} of the rate with the queue`);
    if (best < LEAST) world.complaints.push(`After a lost queue, ${best.toFixed(2)} of the usual rate.`);
  },
};

/** Emails a second, from the first to the last. */
async function rate(world: World, worker: Slot, row: string, count: number): Promise<number> {
  const { sink, jobs, copies } = world;
  const ids = await stock(world, row, count);
  await jobs.addFirst(ids);
  if (row === FLUSHED) await jobs.empty();
  const before = sink.taken.size;
  await worker.start();
  const all = async () => sink.taken.size >= before + count && (await world.owed(row)) === 0;
  await until(all, { timeout: count * SLOWEST, interval: 100, what: 'the last email' });
  await worker.terminate();
  const times = copies.read().map(({ at }) => at);
  const [first = 0, last = 0] = [times[before], times.at(-1)];
  return (1_000 * (times.length - before)) / (last - first);
}
