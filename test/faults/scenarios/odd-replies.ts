import { until } from '../../support/basics/wait-for.js';
import type { Stage } from '../../support/servers/smtp/smtp-script.js';
import { oddReplies } from '../sink/odd-bytes.js';
import { senderOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const ODD = 'o1';
const INNOCENT = 'o2';
const CONNECTION = 'o3';
/** The usual reply there, and other possible ones. */
const CODES: Partial<Record<Stage, readonly string[]>> = {
  mail: ['250', '451', '550'],
  rcpt: ['250', '451', '550'],
  data: ['354', '451', '554'],
  dot: ['250', '451', '554'],
  rset: ['250', '451'],
};
const CONNECTION_CODES = { greeting: '220', ehlo: '250', quit: '221' };
/** One email of this many gets an unusual reply. */
const ONE_IN = 4;
/** Concurrent emails. */
const GROUP = 120;
const MOST_MEMORY = 400_000_000;

/**
 * A mail server that sends unusual replies to some emails, at every stage of the conversation. They affect only these
 * emails, except with an envelope sent ahead: there an extra reply cannot be attributed, and the email behind may end
 * as unknown.
 */
export const oddReplyServer: Scenario = {
  name: 'odd replies',
  about: 'next hop lies',
  minutes: 0.5,
  bothWays: true,
  smtpQuery: '?maxConnections=8&connectionTimeout=5000&greetingTimeout=5000&socketTimeout=5000',
  rows: [
    { id: ODD, fault: 'replies of odd bytes, one email in four' },
    { id: INNOCENT, fault: 'the other emails' },
    { id: CONNECTION, fault: 'odd bytes in the greeting and after EHLO and QUIT' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) {
      await oddToSome(world);
      await oddToConnections(world);
    }
    world.remarkAhead(INNOCENT);
    if (!worker.running || !world.api.running) world.complaints.push('A process went down.');
    const memory = worker.peakMemory ?? 0;
    if (memory > MOST_MEMORY) world.complaints.push(`A worker had ${Math.round(memory / 1_000_000)} MB.`);
  },
};

async function oddToSome(world: World): Promise<void> {
  const { random, sink, client } = world;
  const innocent = { row: INNOCENT, ...(!world.options.pipelining && { atMost: 1 }) };
  const odd = Object.entries(CODES).flatMap(([stage, codes]) =>
    oddReplies(random.pick(codes), random).map((reply) => ({ stage: stage as Stage, reply })),
  );
  while (odd.length > 0) {
    const mails = Array.from({ length: GROUP }, (_, index) => {
      const step = index % ONE_IN === 0 && odd.splice(random.int(0, odd.length - 1), 1)[0];
      if (!step) return world.draft(innocent);
      const mail = world.draft({ row: ODD, expect: 'ended' });
      const refused = { stage: 'rcpt', action: { kind: 'say', line: '451 later' } } as const;
      const said = { stage: step.stage, action: { kind: 'bytes', ...step.reply } } as const;
      sink.plan(senderOf(mail.tag), [...(step.stage === 'rset' ? [refused] : []), said]);
      world.hit(ODD);
      return mail;
    });
    await Promise.all(mails.map((mail) => client.send(mail)));
    await until(async () => (await world.owed(INNOCENT)) === 0, { timeout: world.recoveryLimit }).catch(() => {
      world.complaints.push('Odd replies hold up emails on other connections.');
    });
    await world.settle();
  }
}

/**
 * Any email may get these replies, and is sent again. An extra reply before the first command cannot be distinguished
 * from the reply to it, so the email may end as unknown.
 */
async function oddToConnections(world: World): Promise<void> {
  const { random, sink, client } = world;
  for (const [stage, code] of Object.entries(CONNECTION_CODES)) {
    for (const reply of oddReplies(code, random)) {
      sink.planConnections([{ stage: stage as Stage, action: { kind: 'bytes', ...reply } }]);
    }
    for (let round = 0; round < 8 && sink.connectionsPlanned > 0; round++) {
      sink.closeIdle();
      const mails = Array.from({ length: 10 }, () => world.draft({ row: CONNECTION }));
      await Promise.all(mails.map((mail) => client.send(mail)));
      await world.settle();
      world.hit(CONNECTION);
    }
    sink.forgetConnections();
  }
}
