import { PATIENCE } from '../../support/basics/patience.mjs';
import { within } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import { isClose, isLease, names } from '../world/statements.js';
import type { World } from '../world/world.js';

/** Points of an email within a worker. */
export type WorkerPoint =
  | 'before lease'
  | 'after lease'
  | 'after RCPT'
  | 'inside DATA'
  | 'after dot'
  | 'before close'
  | 'after close';

const IN_SESSION: readonly WorkerPoint[] = ['after RCPT', 'inside DATA', 'after dot'];

export interface Holding {
  row: string;
  point: WorkerPoint;
}

/**
 * Sends one email per point, and holds each at its point until `released`. Resolves with the emails' tags when all are
 * held. Statements of one kind are sent one after the other, so that a process can be at one of the points around each
 * of them only.
 */
export async function holdAll(
  world: World,
  worker: Slot,
  holdings: readonly Holding[],
  released: Promise<void> = new Promise(() => {}),
): Promise<string[]> {
  const inSession = holdings.filter(({ point }) => IN_SESSION.includes(point));
  const tags = await Promise.all(inSession.map((holding) => holdInSession(world, holding, released)));
  for (const holding of holdings) {
    if (!inSession.includes(holding)) tags.push(await holdStatement(world, worker, holding, released));
  }
  return tags;
}

/** The sink does not answer at this stage. */
async function holdInSession(world: World, { row, point }: Holding, released: Promise<void>): Promise<string> {
  const { random, sink } = world;
  const mail = world.draft({ row });
  const held = new Promise<void>((reached) => {
    const stage = point === 'after dot' ? 'dot' : 'data';
    const bytes = point === 'inside DATA' ? { bytes: random.int(1, 400) } : {};
    // Before the reply, the worker cannot know whether the message was accepted.
    const taken = point === 'after dot' ? { taken: random.chance(0.5) } : {};
    sink.plan(senderOf(mail.tag), [{ stage, ...taken, action: { kind: 'hold', reached, released, ...bytes } }]);
  });
  await world.client.send(mail);
  await within(held, PATIENCE, `Waiting for an email to be ${point}`);
  return mail.tag;
}

/** Holds the worker's statement, or the answer to it. */
async function holdStatement(
  world: World,
  worker: Slot,
  { row, point }: Holding,
  released: Promise<void>,
): Promise<string> {
  const mail = world.draft({ row });
  const isOurs = point.endsWith('lease') ? isLease : isClose;
  const trap = worker.postgres.trap(
    point.startsWith('before') ? 'request' : 'answer',
    (exchange) => isOurs(exchange) && names(world.idsOf(mail.tag))(exchange),
  );
  released.then(trap.release);
  await world.client.send(mail);
  await within(trap.sprung, PATIENCE, `Waiting for an email to be ${point}`);
  return mail.tag;
}
