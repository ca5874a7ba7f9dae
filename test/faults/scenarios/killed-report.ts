import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until, within } from '../../support/basics/wait-for.js';
import { deliveryReport } from '../../support/requests/delivery-report.js';
import { recipientOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import { isCommit, isReported } from '../world/statements.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const BEFORE_COMMIT = 'r1';
const AFTER_COMMIT = 'r2';
/** Pause of a mail server before it sends a report again. Milliseconds. */
const PAUSE = 200;

const LISTENS = /Reports are accepted by SMTP on port (\d+)/g;

const SUPPRESSED = `SELECT count(*)::integer AS count FROM nestjs_emails.suppressions WHERE email = $1 AND origin = 'bounce'`;

/** Kills the worker while it records a report. The mail server has no 250, and sends the report again. */
export const killedReport: Scenario = {
  name: 'killed report',
  about: 'worker killed or frozen',
  minutes: 0.8,
  only: 'postgres',
  webhooks: true,
  environment: { BOUNCE_DOMAIN: 'bounces.test', BOUNCE_SMTP_PORT: '0' },
  rows: [
    {
      id: BEFORE_COMMIT,
      fault: 'killed while a report is recorded, before the commit',
      webhooks: true,
      failpoint: true,
    },
    {
      id: AFTER_COMMIT,
      fault: 'killed after the commit of a report, before its 250 and its webhooks',
      webhooks: true,
      failpoint: true,
    },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('all');
    for (let hit = 0; hit < hits; hit++) {
      await crash(world, worker, BEFORE_COMMIT);
      await crash(world, worker, AFTER_COMMIT);
    }
  },
};

async function crash(world: World, worker: Slot, row: string): Promise<void> {
  const mail = world.draft({ row, expect: 'returned' });
  const recipient = recipientOf(mail.tag);
  await world.client.send(mail);
  const returnPath = await until(() => world.sink.returnPaths.get(recipient), { what: 'a copy with its return path' });
  await world.settle();
  const { sprung } = trapOf(worker, row);
  const returned = returnMail(worker, returnPath, recipient);
  await within(sprung, PATIENCE, `Waiting for a report of ${row}`);
  world.endpoints.noteBlow();
  await world.kill(worker);
  world.hit(row);
  await world.endpoints.endLeases();
  await worker.start();
  await returned;
  await until(async () => (await world.pool.query(SUPPRESSED, [recipient])).rows[0]?.count === 1, {
    what: 'one suppression of a returned recipient',
  });
}

function trapOf(worker: Slot, row: string) {
  if (row === BEFORE_COMMIT) return worker.postgres.trap('request', isReported);
  let isRecorded = false;
  return worker.postgres.trap('answer', (exchange) => {
    isRecorded ||= isReported(exchange);
    return isRecorded && isCommit(exchange);
  });
}

/** Sends a report until it is taken, and then once more, as a server does that lost the 250. */
async function returnMail(worker: Slot, returnPath: string, recipient: string): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (let taken = 0; taken < 2; ) {
    const port = Number([...worker.output.matchAll(LISTENS)].at(-1)?.[1]);
    const sent = await createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
      .sendMail({ envelope: { from: '', to: returnPath }, raw: deliveryReport([recipient]) })
      .catch((error: Error) => error);
    if (!(sent instanceof Error)) taken += 1;
    else if (Date.now() > deadline) throw new Error('The listener took no report.', { cause: sent });
    else await delay(PAUSE);
  }
}
