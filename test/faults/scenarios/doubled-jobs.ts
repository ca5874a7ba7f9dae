import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from './scenario.js';

const DOUBLED = 'd1';
const EMAILS = 25;
const TIMES = 10;

/** Ten jobs for one email, before, during and after its delivery, so that two workers compete for it. */
export const doubledJobs: Scenario = {
  name: 'doubled jobs',
  about: 'queue lost',
  minutes: 0.2,
  traced: { busy: 2 },
  rows: [{ id: DOUBLED, fault: 'the same job added ten times' }],

  async run(world, { factor }) {
    const { jobs, random } = world;
    const workers = [await world.worker(), await world.worker()];
    await Promise.all([world.api, ...workers].map((slot) => slot.start()));
    for (let round = 0; round < EMAILS * factor; round++) {
      const id = await world.send({ row: DOUBLED });
      const copies = Array.from({ length: TIMES }, (_, index) => `again-${id}-${index}`);
      await jobs.add(id, copies);
      world.hit(DOUBLED);
      await delay(random.int(0, 30));
      await jobs.add(id, copies);
    }
  },
};
