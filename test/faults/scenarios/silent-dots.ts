import { until } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import { gate } from './held.js';
import type { Scenario } from './scenario.js';

const SILENT = 'h1';
const OTHER = 'h2';
/** Number of connections; the unanswered emails hold all but one. */
const CONNECTIONS = 3;
/** Number of other emails per unanswered one. */
const OTHERS = 20;

/**
 * Final dots that are answered only after everything else is delivered: messages behind them use another connection.
 */
export const silentDots: Scenario = {
  name: 'silent dots',
  about: 'next hop lost',
  minutes: 0.2,
  bothWays: true,
  smtpQuery: `?maxConnections=${CONNECTIONS}`,
  traced: { busy: 2 },
  rows: [
    { id: SILENT, fault: 'a final dot that is answered after all other emails' },
    { id: OTHER, fault: 'the other emails' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) await keepWaiting(world);
    world.remarkAhead(OTHER);
  },
};

async function keepWaiting(world: World): Promise<void> {
  const { opened, open } = gate();
  const mails = Array.from({ length: CONNECTIONS - 1 }, () => {
    const mail = world.draft({ row: SILENT, atMost: 1 });
    const hold = { kind: 'hold', reached: () => world.hit(SILENT), released: opened } as const;
    world.sink.plan(senderOf(mail.tag), [{ stage: 'dot', action: hold }]);
    return [mail, ...Array.from({ length: OTHERS }, () => world.draft({ row: OTHER, atMost: 1 }))];
  }).flat();
  await Promise.all(mails.map((mail) => world.client.send(mail)));
  await until(async () => (await world.owed(OTHER)) === 0, { timeout: world.recoveryLimit }).catch(() => {
    world.complaints.push('A final dot without an answer holds up emails on other connections.');
  });
  open();
  await world.settle();
}
