import { PATIENCE } from '../../support/basics/patience.mjs';
import { until, within } from '../../support/basics/wait-for.js';
import type { Slot } from '../world/slot.js';
import { isCommit, isCounted } from '../world/statements.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

/** Points of a worker within an action, next to the email at which it is killed. */
const POINTS = ['before count', 'before commit', 'after commit'] as const;
type Point = (typeof POINTS)[number];

const ROWS: Record<Point, string> = { 'before count': 'j1', 'before commit': 'j2', 'after commit': 'j3' };
/** Emails of an action. */
const EMAILS = 12;
/** All emails are canceled long before they are due. Milliseconds. */
const LATER = 3_600_000;

/** Simulates that the lease of the dead worker has passed. */
const PASS = 'UPDATE nestjs_emails.email_actions SET due_at = now() WHERE due_at IS NOT NULL';

/** Kills the worker inside an action on many emails: the next one continues, and acts on each email once. */
export const killedAction: Scenario = {
  name: 'killed action',
  about: 'worker killed or frozen',
  minutes: 0.6,
  rows: [
    {
      id: ROWS['before count'],
      fault: 'in an action, after an email was canceled, before it is counted',
      failpoint: true,
    },
    { id: ROWS['before commit'], fault: 'after it was counted, before the commit', failpoint: true },
    { id: ROWS['after commit'], fault: 'after the commit, before the next email', failpoint: true },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < hits; round++) {
      for (const point of POINTS) await crash(world, worker, point);
    }
  },
};

async function crash(world: World, worker: Slot, point: Point): Promise<void> {
  const row = ROWS[point];
  const mails = Array.from({ length: EMAILS }, () => world.draft({ row, expect: 'ended', scheduledIn: LATER }));
  const ids = await Promise.all(mails.map((mail) => world.client.send(mail)));
  const trap = trapOf(worker, point, world.random.int(1, EMAILS));
  const action = await world.client.cancelAll(mails, ids);
  await within(trap.sprung, PATIENCE, `Waiting for an action to be ${point}`);
  await world.kill(worker);
  world.hit(row);
  await world.pool.query(PASS);
  await worker.start();
  const progress = await until(() => world.client.endOf(action, mails), { what: 'the end of an action' });
  if (progress.done !== EMAILS || progress.refused > 0) {
    world.complaints.push(`An action killed ${point} ends with ${JSON.stringify(progress)} of ${EMAILS} emails.`);
  }
}

/** @param nth email of the action, from 1 */
function trapOf(worker: Slot, point: Point, nth: number) {
  let counted = 0;
  return worker.postgres.trap(point === 'before count' ? 'request' : 'answer', (exchange) => {
    if (isCounted(exchange)) counted += 1;
    return counted === nth && (point === 'after commit' ? isCommit(exchange) : isCounted(exchange));
  });
}
