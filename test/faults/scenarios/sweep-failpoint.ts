import { PATIENCE } from '../../support/basics/patience.mjs';
import { until, within } from '../../support/basics/wait-for.js';
import type { PostgresExchange } from '../wire/postgres-tap.js';
import type { Slot } from '../world/slot.js';
import { isOverdue, names } from '../world/statements.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const IN_SWEEP = 's1';
/** Long enough to find and remove its hint before the due time. Milliseconds. */
const SOON = 1_000;

/**
 * Makes the queue forget an email, and kills the worker just after its sweep finds the overdue email, before it can add
 * a job. The next worker sweeps at its start.
 */
export const sweepFailpoint: Scenario = {
  name: 'sweep failpoint',
  about: 'worker killed or frozen',
  minutes: 0.5,
  rows: [{ id: IN_SWEEP, fault: 'in the sweep, between select and add', failpoint: true, crash: true }],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let hit = 0; hit < hits; hit++) {
      const { tag, swept } = await forget(world, worker);
      await within(swept, PATIENCE, 'A sweep');
      world.noteBlowTo([tag]);
      await world.kill(worker);
      world.hit(IN_SWEEP);
      await worker.start();
      // The next email must not hold up the sweep that finds this one.
      await world.recovered();
    }
  },
};

/** An email that is due soon, without a job in the queue: the sweep that finds it is stopped there. */
async function forget(world: World, worker: Slot): Promise<{ tag: string; swept: Promise<unknown> }> {
  for (;;) {
    const mail = world.draft({ row: IN_SWEEP, scheduledIn: SOON });
    const isFound = (exchange: PostgresExchange) => isOverdue(exchange) && names(world.idsOf(mail.tag))(exchange);
    const { sprung, release } = worker.postgres.trap('answer', isFound);
    const id = await world.client.send(mail);
    // The hint follows the answer. If the worker is quicker, the email is unusable here.
    const look = () => world.jobs.remove(id);
    const gone = await until(look, { interval: 5, timeout: SOON / 2 }).then(
      () => true,
      () => false,
    );
    if (gone) return { tag: mail.tag, swept: sprung };
    release();
  }
}
