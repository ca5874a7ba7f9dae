import { until } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import { gate } from './held.js';
import type { Scenario } from './scenario.js';

const SILENT = 'h1';
const BESIDE = 'h2';
/** Of this many connections, the silent ones take all but one. */
const CONNECTIONS = 3;
/** Emails beside each that gets no answer. */
const OTHERS = 20;

/** Final dots that are answered when everything else is through: what is behind them on the wire goes another way. */
export const silentDots: Scenario = {
  name: 'silent dots',
  about: 'next hop lost',
  minutes: 0.2,
  bothWays: true,
  smtpQuery: `?maxConnections=${CONNECTIONS}`,
  rows: [
    { id: SILENT, fault: 'a final dot that is answered after all that is sent beside it' },
    { id: BESIDE, fault: 'the emails beside these' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) await keepWaiting(world);
    world.remarkAhead(BESIDE);
  },
};

async function keepWaiting(world: World): Promise<void> {
  const { opened, open } = gate();
  const mails = Array.from({ length: CONNECTIONS - 1 }, () => {
    const mail = world.draft({ row: SILENT, atMost: 1 });
    const hold = { kind: 'hold', reached: () => world.hit(SILENT), released: opened } as const;
    world.sink.plan(senderOf(mail.tag), [{ stage: 'dot', action: hold }]);
    return [mail, ...Array.from({ length: OTHERS }, () => world.draft({ row: BESIDE, atMost: 1 }))];
  }).flat();
  await Promise.all(mails.map((mail) => world.client.send(mail)));
  await until(async () => (await world.owed(BESIDE)) === 0, { timeout: world.recoveryLimit }).catch(() => {
    world.complaints.push('A final dot without an answer holds up what is sent beside it.');
  });
  open();
  await world.settle();
}
