import { until, within } from '../../support/wait-for.js';
import { isOverdue, names } from '../world/statements.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const IN_SWEEP = 's1';
/** Before it is due, its hint has to be found and taken away. Milliseconds. */
const SOON = 1_000;
/** A sweep comes every 3 s by default and sees what is overdue for 1 s. Milliseconds. */
const PATIENCE = 12_000;

/**
 * Makes the queue forget an email, and kills the worker when its sweep has just been told that the email is overdue,
 * before it can put it into the queue. The next worker sweeps when it starts.
 */
export const sweepFailpoint: Scenario = {
  name: 'sweep failpoint',
  rows: [{ id: IN_SWEEP, fault: 'in the sweep, between select and add', failpoint: true, crash: true }],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let hit = 0; hit < hits; hit++) {
      const tag = await forget(world);
      const trap = worker.postgres.trap(
        'answer',
        (exchange) => isOverdue(exchange) && exchange.rows.length > 0 && names(world.idsOf(tag))(exchange),
      );
      await within(trap.sprung, PATIENCE, 'A sweep');
      world.noteBlowTo([tag]);
      await world.kill(worker);
      world.hit(IN_SWEEP);
      await worker.start();
    }
  },
};

/** An email that is due soon, and that the queue knows nothing of. */
async function forget(world: World): Promise<string> {
  for (;;) {
    const mail = world.draft({ row: IN_SWEEP, scheduledIn: SOON });
    const id = await world.client.send(mail);
    // The hint is given after the answer. When the worker is quicker, the email is as good as any other.
    const look = () => world.jobs.remove(id);
    const gone = await until(look, { interval: 5, timeout: SOON / 2 }).then(
      () => true,
      () => false,
    );
    if (gone) return mail.tag;
  }
}
