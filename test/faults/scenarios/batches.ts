import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until, within } from '../../support/basics/wait-for.js';
import { type Mail, SUBJECT } from '../world/draft.js';
import { acceptedEmails, isAcceptOfBatch } from '../world/statements.js';
import type { World } from '../world/world.js';
import { waitedFor } from './load.js';
import type { Scenario } from './scenario.js';

const BEFORE_COMMIT = 'b1';
const AFTER_COMMIT = 'b2';
const AFTER_ANSWER = 'b3';
const AT_RANDOM = 'b4';
/** Emails of one batch. */
const SIZE = 20;
const KILLS = 4;
/** Concurrent batches. */
const OTHER = 3;

/**
 * Kills the API around the commit of batches, and at any moment. A batch is stored completely or not at all, with or
 * without an answer, and its key returns the same ids.
 */
export const batches: Scenario = {
  name: 'batches',
  about: 'API killed',
  minutes: 1,
  rows: [
    { id: BEFORE_COMMIT, fault: 'before commit of a batch', failpoint: true, crash: true },
    { id: AFTER_COMMIT, fault: 'after commit of a batch, before enqueue', failpoint: true, crash: true },
    { id: AFTER_ANSWER, fault: 'after the answer to a batch', failpoint: true, crash: true },
    { id: AT_RANDOM, fault: 'SIGKILL of the API at random, while batches come', crash: true },
  ],

  async run(world, { hits, factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < hits; round++) {
      await hit(world, BEFORE_COMMIT, (mails) => heldAt(world, mails, 'request'));
      await hit(world, AFTER_COMMIT, (mails) => heldAt(world, mails, 'answer'));
      await hit(world, AFTER_ANSWER, (mails) => answered(world, mails));
    }
    await killAtRandom(world, KILLS * factor);
  },
};

const batchOf = (world: World, row: string) => Array.from({ length: SIZE }, () => world.draft({ row }));

/** Kills the API while a batch is at a point, and checks the stored emails. */
async function hit(
  world: World,
  row: string,
  reach: (mails: readonly Mail[]) => Promise<{ sent: Promise<void> }>,
): Promise<void> {
  const mails = batchOf(world, row);
  const { sent } = await reach(mails);
  world.noteBlowTo(mails.map(({ tag }) => tag));
  await world.api.kill();
  world.hit(row);
  await checkWhole(world, [mails]);
  await world.api.start();
  await within(sent, PATIENCE, 'Asking again for a batch after a crash of the API');
  await checkAnswered(world, [mails]);
}

async function heldAt(
  world: World,
  mails: readonly Mail[],
  moment: 'request' | 'answer',
): Promise<{ sent: Promise<void> }> {
  const trap = world.api.postgres.trap(
    moment,
    (exchange) => isAcceptOfBatch(exchange) && acceptedEmails(exchange).some(({ tag }) => tag === mails[0]?.tag),
  );
  const sent = waitedFor(world.client.sendBatch(mails));
  await within(trap.sprung, PATIENCE, 'Waiting for a batch at its point');
  return { sent };
}

/** The client has just received the answer. */
async function answered(world: World, mails: readonly Mail[]): Promise<{ sent: Promise<void> }> {
  let sent = Promise.resolve();
  await within(
    new Promise<void>((resolve, reject) => {
      sent = waitedFor(world.client.sendBatch(mails, resolve));
      sent.catch(reject);
    }),
    PATIENCE,
    'Waiting for the answer to a batch',
  );
  return { sent };
}

async function killAtRandom(world: World, kills: number): Promise<void> {
  const all: Mail[][] = [];
  let over = false;
  const lanes = Array.from({ length: OTHER }, async () => {
    while (!over) {
      const mails = batchOf(world, AT_RANDOM);
      all.push(mails);
      await world.client.sendBatch(mails);
      await delay(world.random.int(1, 40));
    }
  });
  for (let round = 0; round < kills; round++) {
    await delay(world.random.int(50, 600));
    await world.kill(world.api);
    world.hit(AT_RANDOM);
    await checkWhole(world, all);
    await world.api.start();
  }
  over = true;
  await within(Promise.all(lanes), PATIENCE, 'Asking again for batches after crashes of the API');
  await checkAnswered(world, all);
}

/** Number of its stored emails. A running statement of PostgreSQL may add more a moment later. */
async function countOf(world: World, mails: readonly Mail[]): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM nestjs_emails.emails WHERE subject = ANY($1)',
    [mails.map(({ tag }) => SUBJECT + tag)],
  );
  return rows[0]?.count ?? 0;
}

async function checkWhole(world: World, all: readonly (readonly Mail[])[]): Promise<void> {
  for (const mails of all) {
    const count = await countOf(world, mails);
    if (count !== 0 && count !== mails.length) world.complaints.push(`A batch of ${mails.length} has ${count}.`);
  }
}

/**
 * Acknowledged batches: each is stored once, and a repeated request returns the same ids, which the evidence compares.
 */
async function checkAnswered(world: World, all: readonly (readonly Mail[])[]): Promise<void> {
  for (const mails of all) {
    const count = await countOf(world, mails);
    if (count !== mails.length) world.complaints.push(`An acknowledged batch of ${mails.length} has ${count}.`);
    await until(() => world.client.askBatch(mails), { what: 'the answer to a batch once more' });
  }
}
