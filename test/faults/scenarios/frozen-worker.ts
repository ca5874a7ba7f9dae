import { until } from '../../support/basics/wait-for.js';
import type { Scenario } from './scenario.js';
import { holdAll, type WorkerPoint } from './worker-points.js';

const FROZEN = 'z1';

const ROUNDS: readonly (readonly WorkerPoint[])[] = [
  ['after RCPT', 'inside DATA', 'after dot', 'before close', 'after lease'],
  ['after RCPT', 'inside DATA', 'after dot', 'after close', 'before lease'],
];

/**
 * SIGSTOP of a worker that holds emails, until another has delivered them; then SIGCONT. The first worker continues,
 * with open sessions and with leases that it no longer owns.
 */
export const frozenWorker: Scenario = {
  name: 'frozen worker',
  about: 'worker killed or frozen',
  minutes: 0.4,
  bothWays: true,
  traced: { freeze: 1, stall: 1, busy: 2 },
  rows: [{ id: FROZEN, fault: 'SIGSTOP of a worker past its lease, then SIGCONT', crash: true }],

  async run(world, { factor }) {
    const frozen = await world.worker();
    const other = await world.worker();
    await world.api.start();
    const first = world.random.int(0, ROUNDS.length - 1);
    for (let round = first; round < first + ROUNDS.length * factor; round++) {
      await frozen.start();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const points = ROUNDS[round % ROUNDS.length] ?? [];
      const tags = await holdAll(
        world,
        frozen,
        points.map((point) => ({ row: FROZEN, point })),
        released,
      );
      world.noteBlowTo(tags);
      frozen.freeze();
      await other.start();
      await until(async () => (await world.count('due_at IS NOT NULL')) === 0);
      world.hit(FROZEN);
      frozen.thaw();
      release();
      await other.terminate();
      // The worker must deliver again.
      await world.send({ row: FROZEN });
      await world.settle();
      await frozen.terminate();
    }
  },
};
