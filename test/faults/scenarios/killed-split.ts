import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { within } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import { isNote, names } from '../world/statements.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const BEFORE_250 = 'v1';
const BEFORE_NOTE = 'v2';
const AFTER_NOTE = 'v3';
const RANDOM = 'v4';

const RECIPIENTS = 6;
/** Of the emails of a load, which must not be what recovery takes. */
const FEW = 3;
const KILLS = 4;
/** The sweep of a worker's start may still hand over emails of the last one. Milliseconds. */
const START_SWEEP = 100;

/**
 * Kills the worker in the middle of emails that are sent as one message for each recipient: the next worker sends the rest, and
 * again only the message whose end nobody knows.
 */
export const killedSplit: Scenario = {
  name: 'killed split',
  about: 'worker killed or frozen',
  minutes: 0.9,
  bothWays: true,
  environment: { RECIPIENTS_PER_MESSAGE: '1' },
  rows: [
    {
      id: BEFORE_250,
      fault: 'one message for each recipient: before 250 to one of them',
      failpoint: true,
      crash: true,
    },
    { id: BEFORE_NOTE, fault: 'after 250, before its outcome is written', failpoint: true, crash: true },
    { id: AFTER_NOTE, fault: 'after its outcome is written', failpoint: true, crash: true },
    { id: RANDOM, fault: 'SIGKILL at random, one message for each recipient', crash: true },
  ],

  async run(world, { hits, factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < hits; round++) {
      await crash(world, worker, () => holdDot(world));
      await crash(world, worker, () => holdNote(world, worker, BEFORE_NOTE));
      await crash(world, worker, () => holdNote(world, worker, AFTER_NOTE));
    }
    if (!(await world.settle())) return;
    const load = startLoad(world, () => ({ row: RANDOM, recipients: FEW }), 300);
    for (let round = 0; round < KILLS * factor; round++) {
      await delay(world.random.int(50, 900));
      world.noteOutage();
      await world.kill(worker);
      world.hit(RANDOM);
      await worker.start();
    }
    await load.end();
    await world.settle();
  },
};

/** @param hold holds an email, and resolves with its tag */
async function crash(world: World, worker: Slot, hold: () => Promise<string>): Promise<void> {
  await delay(START_SWEEP);
  await world.recovered();
  const tag = await hold();
  world.noteBlowTo([tag]);
  await world.kill(worker);
  world.hit(tag.slice(0, tag.lastIndexOf('-')));
  await worker.start();
}

/** Some messages are accepted; then the sink does not answer the final dot of the next. */
async function holdDot(world: World): Promise<string> {
  const { random, sink } = world;
  const mail = world.draft({ row: BEFORE_250, recipients: RECIPIENTS });
  const held = new Promise<void>((reached) => {
    const accepted = { stage: 'dot', action: { kind: 'say', line: '250 taken' }, taken: true } as const;
    const action = { kind: 'hold', reached, released: new Promise<void>(() => {}) } as const;
    const before = Array.from({ length: random.int(0, RECIPIENTS - 1) }, () => accepted);
    sink.plan(senderOf(mail.tag), [...before, { stage: 'dot', action, taken: random.chance(0.5) }]);
  });
  await world.client.send(mail);
  await within(held, PATIENCE, 'Waiting for a message to be before 250');
  return mail.tag;
}

/** The statement with an outcome is held, or the answer to it. */
async function holdNote(world: World, worker: Slot, row: string): Promise<string> {
  const mail = world.draft({ row, recipients: RECIPIENTS });
  let left = world.random.int(0, RECIPIENTS - 2);
  const trap = worker.postgres.trap(
    row === BEFORE_NOTE ? 'request' : 'answer',
    (exchange) => isNote(exchange) && names(world.idsOf(mail.tag))(exchange) && left-- === 0,
  );
  await world.client.send(mail);
  await within(trap.sprung, PATIENCE, `Waiting for an outcome of ${row}`);
  return mail.tag;
}
