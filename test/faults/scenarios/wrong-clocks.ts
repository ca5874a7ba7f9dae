import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const AHEAD = 'c1';
const BEHIND = 'c2';
const HOUR = 3_600_000;
const EMAILS = 10;

/** Processes whose clocks are an hour wrong: the API, the worker, and both. PostgreSQL's is right. */
export const wrongClocks: Scenario = {
  name: 'wrong clocks',
  rows: [
    { id: AHEAD, fault: 'a clock an hour ahead', crash: true },
    { id: BEHIND, fault: 'a clock an hour behind', crash: true },
  ],

  async run(world) {
    const worker = await world.worker();
    for (const [row, shift] of [
      [AHEAD, HOUR],
      [BEHIND, -HOUR],
    ] as const) {
      for (const [api, delivery] of [
        [shift, 0],
        [0, shift],
        [shift, shift],
      ] as const) {
        await Promise.all([world.api.start(api), worker.start(delivery)]);
        await sendSome(world, row);
        await Promise.all([world.api.terminate(), worker.terminate()]);
        world.hit(row);
      }
    }
  },
};

/** Some for now, some for later, some that are deferred once. */
async function sendSome(world: World, row: string): Promise<void> {
  const { random, sink } = world;
  const mails = Array.from({ length: EMAILS }, () => {
    const kind = random.pick(['now', 'later', 'deferred'] as const);
    const mail = world.draft({ row, ...(kind === 'later' && { scheduledIn: random.int(500, 1_500) }) });
    const later = { stage: 'dot', action: { kind: 'say', line: '451 later' } } as const;
    if (kind === 'deferred') sink.plan(`sender@${mail.tag}.from.test`, [later]);
    return mail;
  });
  await Promise.all(mails.map((mail) => world.client.send(mail)));
  world.noteBlowTo(mails.map(({ tag }) => tag));
  const late = world.recoveryLimit;
  if (!(await world.settle(late))) world.complaints.push(`With wrong clocks (${row}), emails are late by ${late} ms.`);
}
