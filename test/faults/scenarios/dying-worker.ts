import { until } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const DEADLY = 'y1';
const OTHER = 'y2';
const VICTIMS = 3;
/** Lost ends count: two are tried again at once, the third after a wait, and the schedule ends with the fourth. */
const SCHEDULE = '1s,1s,1s';
const ATTEMPTS = 4;
/** Number of deaths after which the attempts count as endless. */
const DEATHS = ATTEMPTS + 2;

/**
 * Emails that kill every worker that sends them, just after the final dot: the next hop has a copy each time, and no
 * process records it. After some attempts they fail.
 */
export const dyingWorker: Scenario = {
  name: 'dying worker',
  about: 'worker killed or frozen',
  minutes: 0.9,
  bothWays: true,
  traced: { crash: DEATHS, busy: Number.POSITIVE_INFINITY },
  environment: { RETRY_SCHEDULE: SCHEDULE },
  rows: [
    { id: DEADLY, fault: 'a worker that dies after the final dot of the same emails, each time', crash: true },
    { id: OTHER, fault: 'the other emails', crash: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) {
      const reached = await sendDeadly(world);
      // The first attempts may precede the acceptance of the last email.
      for (let death = 0, met = 0; death < DEATHS; death++) {
        const load = startLoad(world, () => ({ row: OTHER }), 200);
        // All are attempted at about the same time, so that one death counts for all.
        await until(async () => reached.count - met >= (await world.owed(DEADLY)), { what: 'the next attempts' });
        await load.end();
        if ((await world.owed(DEADLY)) === 0) break;
        world.noteOutage();
        await world.kill(worker);
        met = reached.count;
        world.hit(DEADLY);
        await worker.start();
      }
      if (!(await world.settle())) world.complaints.push('Emails that kill workers never fail.');
    }
  },
};

async function sendDeadly(world: World): Promise<{ count: number }> {
  const reached = { count: 0 };
  const hold = {
    kind: 'hold',
    reached: () => {
      reached.count += 1;
    },
    released: new Promise<void>(() => {}),
  } as const;
  for (let victim = 0; victim < VICTIMS; victim++) {
    const mail = world.draft({ row: DEADLY, expect: 'refused', atMost: ATTEMPTS });
    const steps = Array.from({ length: DEATHS }, () => ({ stage: 'dot', action: hold, taken: true }) as const);
    world.sink.plan(senderOf(mail.tag), steps);
    await world.client.send(mail);
  }
  return reached;
}
