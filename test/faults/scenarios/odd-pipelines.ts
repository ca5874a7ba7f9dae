import type { Random } from '../../support/basics/random.js';
import { until } from '../../support/basics/wait-for.js';
import type { Action, Stage, Step } from '../../support/servers/smtp/smtp-script.js';
import { type Draft, recipientOf, senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const FEW = 'p1';
const MANY = 'p2';
const CUT = 'p3';
const LATE = 'p4';
const OTHER = 'p5';

/** On a busy machine emails may come one by one in the first rounds, with no envelope behind a final dot. */
const MOST_ROUNDS = 5;
/** One email of this many meets a fault. */
const ONE_IN = 4;

/** Faults of one email. */
interface Oddity {
  steps: readonly Step[];
  /** Deviations at the address of the first recipient. */
  atRecipient?: readonly Step[];
  recipients?: number;
  expect?: Draft['expect'];
}

/**
 * A mail server that answers once too often or too rarely, breaks off or is slow, with a worker with few connections:
 * most envelopes follow the final dot of another email. No email gets the answer to another, and none waits for
 * another's.
 */
export const oddPipelines: Scenario = {
  name: 'odd pipelines',
  about: 'next hop lies',
  minutes: 0.5,
  bothWays: true,
  smtpQuery: '?maxConnections=3&connectionTimeout=5000&greetingTimeout=5000&socketTimeout=2000',
  rows: [
    { id: FEW, fault: 'an answer too few at every stage, one email in four' },
    { id: MANY, fault: 'answers too many or out of turn' },
    { id: CUT, fault: '421 or a cut behind the answer to a final dot, or instead of it' },
    { id: LATE, fault: 'answers that take their time' },
    { id: OTHER, fault: 'the other emails' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await world.api.start();
    const isProven = () => !world.options.pipelining || world.sink.envelopesAhead > 0;
    for (let round = 0; round < factor || (!isProven() && round < MOST_ROUNDS); round++) {
      // One kind after the other: an extra answer would hide a missing one.
      await meet(world, worker, FEW, tooFew(world.random));
      await meet(world, worker, MANY, tooMany());
      await meet(world, worker, CUT, cutOff(world.random));
      await meet(world, worker, LATE, late());
    }
    world.remarkAhead(OTHER);
    if (!isProven()) {
      world.complaints.push('No envelope followed a final dot, so this run proves nothing about them.');
    }
  },
};

/**
 * All emails are pending when the worker starts: on a busy machine they would otherwise arrive one by one. A worker
 * that has met such a server sends no envelope ahead for a minute, so each kind has a new worker.
 */
async function meet(world: World, worker: Slot, row: string, oddities: readonly Oddity[]): Promise<void> {
  const mails = oddities.flatMap(({ steps, atRecipient = [], recipients = 1, expect = 'accepted' }) => {
    const odd = world.draft({ row, recipients, expect });
    world.sink.plan(senderOf(odd.tag), steps);
    if (atRecipient.length > 0) world.sink.plan(recipientOf(odd.tag), atRecipient);
    world.hit(row);
    return [odd, ...Array.from({ length: ONE_IN - 1 }, () => world.draft({ row: OTHER }))];
  });
  await Promise.all(mails.map((mail) => world.client.send(mail)));
  await worker.start();
  await until(async () => (await world.owed(OTHER)) === 0, { timeout: world.recoveryLimit }).catch(() => {
    world.complaints.push(`A fault in one pipeline holds up emails on other connections ("${row}").`);
  });
  await world.settle();
  await worker.terminate();
}

const USUAL: Partial<Record<Stage, string>> = { mail: '250 m', rcpt: '250 r', data: '354 d', dot: '250 taken' };
const STAGES = Object.keys(USUAL) as Stage[];

function say(stage: Stage, ...lines: string[]): Step {
  return { stage, action: { kind: 'bytes', bytes: Buffer.from(lines.map((line) => `${line}\r\n`).join('')) } };
}

function tooFew(random: Random): Oddity[] {
  const skip = (stage: Stage): Step => ({ stage, action: { kind: 'skip' } });
  return [
    ...STAGES.map((stage) => ({ steps: [skip(stage)] })),
    { steps: [], atRecipient: [skip('rcpt')], recipients: 3 },
    // The client cannot know the outcome.
    ...Array.from({ length: 4 }, () => ({ steps: [{ ...skip('dot'), taken: random.chance(0.5) }] })),
  ];
}

function tooMany(): Oddity[] {
  return [
    ...STAGES.flatMap((stage) => {
      const usual = USUAL[stage] ?? '';
      return [
        { steps: [say(stage, usual, usual)] },
        { steps: [say(stage, usual, '250 m', '250 r', '354 d')] },
        { steps: [say(stage, usual, '550 5.0.0 no')], expect: 'ended' } as const,
      ];
    }),
    { steps: [say('rcpt', '250 r', '250 r')], recipients: 3 },
    // Answers that arrive before their commands, and are contradicted later.
    { steps: [say('data', '354 d', '250 taken'), { ...say('dot', '550 5.0.0 no'), taken: false }], expect: 'ended' },
    { steps: [say('mail', '250 m', '250 r', '354 d', '250 taken'), say('rcpt', '550 5.0.0 no')], expect: 'ended' },
    // Swapped answers.
    { steps: [say('rcpt', '354 d'), say('data', '250 r')] },
    { steps: [say('mail', '354 d'), say('data', '250 m')] },
    { steps: [say('data', '250 taken'), say('dot', '354 d')] },
  ];
}

function cutOff(random: Random): Oddity[] {
  const atDot = (action: Action, taken = random.chance(0.5)): Oddity => ({ steps: [{ stage: 'dot', action, taken }] });
  const goodbye = Buffer.from('250 taken\r\n421 4.3.2 closing\r\n');
  return [
    atDot({ kind: 'bytes', bytes: goodbye, last: true }, true),
    atDot({ kind: 'bytes', bytes: goodbye, apart: true, last: true }, true),
    atDot({ kind: 'say', line: '250 taken', last: true }, true),
    atDot({ kind: 'say', line: '421 4.3.2 closing' }, false),
    ...(['close', 'drop', 'reset', 'silence'] as const).map((kind) => atDot({ kind })),
    atDot({ kind: 'truncate', line: '250 taken' }),
    ...(['mail', 'rcpt', 'data'] as const).flatMap((stage) => [
      { steps: [{ stage, action: { kind: 'say', line: '421 4.3.2 closing' } }] } as const,
      { steps: [{ stage, action: { kind: 'reset' } }] } as const,
      { steps: [{ stage, action: { kind: 'truncate', line: '354 d' } }] } as const,
    ]),
  ];
}

/** Longer than any client waits, also for the envelope behind. */
function late(): Oddity[] {
  return [10, 150].flatMap((every) =>
    STAGES.map((stage) => ({ steps: [{ stage, action: { kind: 'trickle', line: USUAL[stage] ?? '', every } }] })),
  );
}
