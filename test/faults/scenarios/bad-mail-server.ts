import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/basics/wait-for.js';
import type { Action, Stage, Step } from '../../support/servers/smtp/smtp-script.js';
import { type Draft, recipientOf, senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const REFUSALS = 'm1';
const MIXED = 'm2';
const GARBAGE = 'm3';
const SILENCE = 'm4';
const SLOW = 'm5';
const BROKEN = 'm6';
const NETWORK = 'm7';

const BEFORE_MAIL: readonly Stage[] = ['greeting', 'ehlo'];
const IN_SESSION: readonly Stage[] = ['mail', 'rcpt', 'data', 'dot'];
const CODES = [421, 450, 451, 452, 550];

/** A next hop that refuses, does not answer, or sends invalid replies, at every stage of the conversation. */
export const badMailServer: Scenario = {
  name: 'bad mail server',
  about: 'next hop lies',
  minutes: 1,
  bothWays: true,
  smtpQuery: '?connectionTimeout=2000&greetingTimeout=9000&socketTimeout=3000',
  rows: [
    { id: REFUSALS, fault: '421, 450, 451, 452, 550 at every stage of SMTP' },
    { id: MIXED, fault: 'recipients with different answers' },
    { id: GARBAGE, fault: 'garbage at every stage' },
    { id: SILENCE, fault: 'silence at every stage' },
    { id: SLOW, fault: 'one byte a second at every stage' },
    { id: BROKEN, fault: 'a reply cut short, closed or reset at every stage' },
    { id: NETWORK, fault: 'network to the mail server: slow, reset, half-closed, cut' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) {
      // These are slow on their own connections, while others are not held up.
      const slow = [
        slowly(world),
        sendThrough(world, SILENCE, 'in session', () => ({ kind: 'silence' })),
        mixed(world),
      ];
      for (const code of CODES) await refuse(world, code);
      for (const line of garbage(world)) await everywhere(world, GARBAGE, () => ({ kind: 'say', line }));
      await everywhere(world, BROKEN, (line) => ({ kind: 'truncate', line }));
      await everywhere(world, BROKEN, () => ({ kind: 'close' }));
      await everywhere(world, BROKEN, () => ({ kind: 'reset' }));
      await sendThrough(world, SILENCE, 'before mail', () => ({ kind: 'silence' }));
      await sendThrough(world, SLOW, 'before mail', ONE_BYTE_A_SECOND);
      await Promise.all(slow);
      await disturb(world, worker);
    }
  },
};

const SAYS_ALL: readonly Action['kind'][] = ['say', 'trickle'];

type ActionAt = (usual: string) => Action;

const ONE_BYTE_A_SECOND: ActionAt = (line) => ({ kind: 'trickle', line, every: 1_000 });

async function everywhere(world: World, row: string, action: ActionAt): Promise<void> {
  await sendThrough(world, row, 'in session', action);
  await sendThrough(world, row, 'before mail', action);
}

/** At each stage, one email meets this fault, and is accepted at its next attempt. */
async function sendThrough(
  world: World,
  row: string,
  where: 'in session' | 'before mail',
  action: ActionAt,
  expect: Draft['expect'] = 'accepted',
): Promise<void> {
  if (where === 'in session') {
    await Promise.all(IN_SESSION.map((stage) => meet(world, row, stage, action(USUAL[stage]), expect)));
    return;
  }
  for (const stage of BEFORE_MAIL) {
    world.sink.planConnections([{ stage, action: action(USUAL[stage]) }]);
    while (world.sink.connectionsPlanned > 0) await sendByNewConnection(world, row);
    world.hit(row);
  }
}

/**
 * A connection that others have just released may be used instead; then the email does not meet the fault, and it is
 * tried again.
 */
async function sendByNewConnection(world: World, row: string): Promise<void> {
  world.sink.closeIdle();
  const mail = world.draft({ row });
  await world.client.send(mail);
  await until(async () => (await world.count(`email_id = '${[...world.idsOf(mail.tag)][0]}' AND attempts = 0`)) === 0, {
    what: 'an attempt',
  });
}

const USUAL: Record<Stage, string> = {
  greeting: '220 s',
  ehlo: '250 s',
  auth: '235 a',
  mail: '250 m',
  rcpt: '250 r',
  data: '354 d',
  dot: '250 d',
  rset: '250 o',
  quit: '221 q',
};

async function meet(world: World, row: string, stage: Stage, action: Action, expect: Draft['expect']): Promise<void> {
  const mail = world.draft({ row, ...(expect && { expect }) });
  const sender = senderOf(mail.tag);
  // A server that does not answer may or may not have accepted the message.
  const taken = stage === 'dot' && !SAYS_ALL.includes(action.kind) ? { taken: world.random.chance(0.5) } : {};
  // A refusal may remain unread on a connection that ends because of an earlier reply.
  world.sink.plan(sender, [{ stage, action, ...taken, ...(expect === 'refused' && { lasting: true }) }]);
  await world.client.send(mail);
  await until(() => world.sink.isThrough(sender), { what: `an email at ${stage}` });
  world.hit(row);
}

async function refuse(world: World, code: number): Promise<void> {
  const action: ActionAt = () => ({ kind: 'say', line: `${code} ${String(code)[0]}.7.0 not like this` });
  await sendThrough(world, REFUSALS, 'in session', action, code >= 500 ? 'refused' : 'accepted');
  // An email refused before its first command may try again.
  await sendThrough(world, REFUSALS, 'before mail', action);
}

/** Every possible answer to a recipient, within one email: only deferred recipients are tried again. */
async function mixed(world: World): Promise<void> {
  const answers = [[], ['450 later'], ['550 never'], ['452 later', '451 later'], ['451 later', '550 never'], []];
  for (let round = 0; round < 5; round++) {
    const mail = world.draft({
      row: MIXED,
      recipients: answers.length,
      expect: answers.map((lines) => (lines.some((line) => line.startsWith('5')) ? 'refused' : 'accepted')),
    });
    for (const [index, lines] of answers.entries()) {
      const steps = lines.map((line): Step => {
        const lasting = line.startsWith('5') ? ({ lasting: true } as const) : {};
        return { stage: 'rcpt', action: { kind: 'say', line }, ...lasting };
      });
      world.sink.plan(recipientOf(mail.tag, index), steps);
    }
    await world.client.send(mail);
    world.hit(MIXED);
  }
  await world.settle();
}

/** Replies that no real mail server sends. */
function garbage({ random }: World): string[] {
  const bytes = Array.from({ length: 200 }, () => String.fromCharCode(random.int(14, 255))).join('');
  return ['', '999 what', 'HTTP/1.1 200 OK', bytes.replace(/^\d+/, ''), 'x'.repeat(100_000)];
}

async function slowly(world: World): Promise<void> {
  const all = world.draft({ row: SLOW });
  world.sink.plan(
    senderOf(all.tag),
    IN_SESSION.map((stage) => ({ stage, action: ONE_BYTE_A_SECOND(USUAL[stage]) })),
  );
  await Promise.all([
    world.client.send(all),
    sendThrough(world, SLOW, 'in session', ONE_BYTE_A_SECOND),
    until(() => world.sink.isThrough(senderOf(all.tag)), { what: 'the slowest email' }),
  ]);
}

async function disturb(world: World, { smtp }: Slot): Promise<void> {
  const { random } = world;
  for (const fault of [
    { kind: 'delay', by: 300 },
    { kind: 'reset' },
    { kind: 'halfClose' },
    ...Array.from({ length: 5 }, () => ({ kind: 'cut', after: random.int(1, 1_500) }) as const),
    { kind: 'blackHole' },
  ] as const) {
    const load = startLoad(world, () => ({ row: NETWORK }), 20);
    await delay(200);
    smtp.impose(fault);
    await delay(400);
    smtp.lift();
    await load.end();
    world.hit(NETWORK);
  }
}
