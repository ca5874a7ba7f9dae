import { PATIENCE } from '../../support/basics/patience.mjs';
import { within } from '../../support/basics/wait-for.js';
import { acceptedEmails, enqueues, isAccept, isRequestFor } from '../world/statements.js';
import type { World } from '../world/world.js';
import { waitedFor } from './load.js';
import type { Scenario } from './scenario.js';

const BEFORE_COMMIT = 'a1';
const AFTER_COMMIT = 'a2';
const AFTER_ENQUEUE = 'a3';
const AFTER_ANSWER = 'a4';

/**
 * Kills the API at exact points. Emails can be at different points at the same time: one crash then hits all of them.
 * An undisturbed worker delivers; a client without an answer repeats its request.
 */
export const apiFailpoints: Scenario = {
  name: 'API failpoints',
  about: 'API killed',
  minutes: 0.8,
  rows: [
    { id: BEFORE_COMMIT, fault: 'before commit', failpoint: true, crash: true },
    { id: AFTER_COMMIT, fault: 'after commit, before enqueue', failpoint: true, crash: true },
    { id: AFTER_ENQUEUE, fault: 'after enqueue, before the answer', failpoint: true, crash: true },
    { id: AFTER_ANSWER, fault: 'after the answer', failpoint: true, crash: true },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < hits; round++) {
      const enqueued = await holdAfterEnqueue(world);
      await crash(world, [enqueued, await holdBeforeCommit(world)]);
      await crash(world, [await holdAfterCommit(world)]);
      await crash(world, [await answered(world)]);
    }
  },
};

/** An email at its point, and a promise of its acceptance. */
interface Held {
  row: string;
  tag: string;
  sent: Promise<unknown>;
}

async function crash(world: World, held: readonly Held[]): Promise<void> {
  world.noteBlowTo(held.map(({ tag }) => tag));
  await world.api.kill();
  for (const { row } of held) world.hit(row);
  await world.api.start();
  await within(Promise.all(held.map(({ sent }) => sent)), PATIENCE, 'Asking again after a crash of the API');
}

/** The statement has left the process and not reached PostgreSQL. */
function holdBeforeCommit(world: World): Promise<Held> {
  return holdAccept(world, BEFORE_COMMIT, 'request');
}

/** PostgreSQL has committed; the process does not know. */
function holdAfterCommit(world: World): Promise<Held> {
  return holdAccept(world, AFTER_COMMIT, 'answer');
}

async function holdAccept(world: World, row: string, moment: 'request' | 'answer'): Promise<Held> {
  const mail = world.draft({ row });
  const trap = world.api.postgres.trap(
    moment,
    (exchange) => isAccept(exchange) && acceptedEmails(exchange).some(({ tag }) => tag === mail.tag),
  );
  const sent = waitedFor(world.client.send(mail));
  await within(trap.sprung, PATIENCE, `Waiting for an email at "${row}"`);
  return { row, tag: mail.tag, sent };
}

/** The queue has the hint; the answer to the client is sent and does not arrive. */
async function holdAfterEnqueue(world: World): Promise<Held> {
  const mail = world.draft({ row: AFTER_ENQUEUE });
  const { api, client } = world;
  const isHint = (exchange: Parameters<ReturnType<typeof enqueues>>[0]) => enqueues(world.idsOf(mail.tag))(exchange);
  const answer = api.http.trap('answer', isRequestFor(mail.tag));
  const hint = api.redis
    ? api.redis.trap('answer', isHint, { hold: false })
    : api.postgres.trap('answer', isHint, { hold: false });
  const sent = waitedFor(client.send(mail));
  await within(Promise.all([answer.sprung, hint.sprung]), PATIENCE, 'Waiting for an answer and for a hint');
  return { row: AFTER_ENQUEUE, tag: mail.tag, sent };
}

/** The client has just received the answer; later work of the process is interrupted. */
async function answered(world: World): Promise<Held> {
  const mail = world.draft({ row: AFTER_ANSWER });
  let sent: Promise<unknown> = Promise.resolve();
  await within(
    new Promise<void>((resolve, reject) => {
      sent = waitedFor(world.client.send(mail, resolve));
      sent.catch(reject);
    }),
    PATIENCE,
    'Waiting for an answer',
  );
  return { row: AFTER_ANSWER, tag: mail.tag, sent };
}
