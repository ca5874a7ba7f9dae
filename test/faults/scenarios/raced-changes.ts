import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/basics/wait-for.js';
import type { Step } from '../../support/servers/smtp/smtp-script.js';
import { senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const API = 'x1';
const WORKER = 'x2';
const BOTH = 'x3';
const KILLS = 5;
/** Kills per process. */
const CHANGES = 20;
/** Milliseconds from one email to the next. */
const EVERY = 30;
/** Maximum number of unfinished emails, so that a slow machine is not overloaded. */
const UNDER_WAY = 60;
/** Milliseconds within which emails become due, and are changed. */
const SOON = 1_500;

const LATER: Step = { stage: 'rcpt', action: { kind: 'say', line: '451 4.3.0 later' } };
const UNSEEN: Step = { stage: 'dot', action: { kind: 'drop' }, taken: true };

/** Emails are rescheduled, canceled and retried around their due time, while processes are killed. */
export const racedChanges: Scenario = {
  name: 'raced changes',
  about: 'API killed',
  minutes: 0.9,
  rows: [
    { id: API, fault: 'SIGKILL of the API while emails are canceled and rescheduled', crash: true },
    { id: WORKER, fault: 'the same of the worker', crash: true },
    { id: BOTH, fault: 'the same of both', crash: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (const [row, victims] of [
      [API, [world.api]],
      [WORKER, [worker]],
      [BOTH, [world.api, worker]],
    ] as const) {
      const lives = new Set<Promise<void>>();
      let over = false;
      const stream = (async () => {
        for (; !over; await delay(EVERY)) if (lives.size < UNDER_WAY) begin(lives, live(world, row));
      })();
      for (let round = 0; round < KILLS * factor; round++) {
        const enough = world.client.changed + CHANGES;
        await until(() => world.client.changed >= enough, { what: 'changes that are answered' });
        await delay(world.random.int(0, 200));
        await crash(world, victims);
        world.hit(row);
      }
      over = true;
      await stream;
      await Promise.all(lives);
      if (!(await world.settle())) return;
      world.remarks.set(row, `${await world.canceled(row)} canceled`);
    }
  },
};

/** An email and the changes that its sender requests. */
async function live(world: World, row: string): Promise<void> {
  const { random, client, sink } = world;
  const mail = world.draft({ row, scheduledIn: random.int(0, SOON) });
  if (random.chance(0.4)) sink.plan(senderOf(mail.tag), [random.chance(0.8) ? LATER : UNSEEN]);
  const id = await client.send(mail);
  for (let changes = random.int(1, 3); changes > 0; changes--) {
    await delay(random.int(0, SOON));
    const time = new Date(Date.now() + random.int(-SOON, SOON)).toISOString();
    await client.change(mail.tag, id, random.pick(['cancel', 'cancel', 'retry', { scheduled_at: time }]));
  }
}

async function crash(world: World, victims: readonly Slot[]): Promise<void> {
  // An unfinished email must wait for the next process.
  world.noteOutage();
  await Promise.all(victims.map((victim) => world.kill(victim)));
  await Promise.all(victims.map((victim) => victim.start()));
}

/** A caller that awaits running work gets its failure; without such a caller it must not end the run. */
function begin(underWay: Set<Promise<void>>, life: Promise<void>): void {
  underWay.add(life);
  life.then(
    () => underWay.delete(life),
    () => {},
  );
}
