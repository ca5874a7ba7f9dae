import { setTimeout as delay } from 'node:timers/promises';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';
import { loseFirst, type Outage } from './two-relays.js';

const REFUSED = 'h1';
const SILENT = 'h2';
const FLAPS = 'h3';
const KILLED = 'h4';

/** From one change to the next of a relay that comes and goes. Milliseconds. */
const FLAP = 200;

const MANY = Number.POSITIVE_INFINITY;

const refuse = async (_: World, workers: readonly Slot[]) =>
  void (await Promise.all(workers.map(({ smtp }) => smtp.refuse())));
const restore = async (_: World, workers: readonly Slot[]) =>
  void (await Promise.all(workers.map(({ smtp }) => smtp.restore())));

const CLOSED: readonly Outage[] = [
  { row: REFUSED, begin: refuse, end: restore },
  { row: KILLED, begin: refuse, end: restore, deadly: true },
];

const UNSTEADY: readonly Outage[] = [
  {
    row: SILENT,
    begin: (_, workers) => {
      for (const { smtp } of workers) smtp.impose({ kind: 'blackHole' });
    },
    end: (_, workers) => {
      for (const { smtp } of workers) smtp.lift();
    },
  },
  { row: FLAPS, begin: flap, end: restore },
];

async function flap(world: World, workers: readonly Slot[]): Promise<void> {
  for (let times = 0; times < 10; times++) {
    await refuse(world, workers);
    await delay(FLAP);
    await restore(world, workers);
    await delay(FLAP);
  }
  await refuse(world, workers);
}

const SETTING = {
  about: 'next hop lost',
  minutes: 0.6,
  bothWays: true,
  hasBackup: true,
  smtpQuery: '?connectionTimeout=2000&greetingTimeout=2000&socketTimeout=4000',
  traced: { away: MANY, busy: MANY, lostReply: MANY, crash: 2 },
} as const;

/** The first of two relays goes away with mail under way, and mail goes on coming. It leaves by the second. */
export const failover: Scenario = {
  ...SETTING,
  name: 'failover',
  rows: [
    { id: REFUSED, fault: 'the first of two relays refuses connections', crash: true },
    { id: KILLED, fault: 'the first of two relays is away, and workers are killed meanwhile', crash: true },
  ],

  run: (world, { factor }) => loseFirst(world, CLOSED, factor),
};

/** The same with a relay that is not simply away. */
export const unsteadyRelay: Scenario = {
  ...SETTING,
  name: 'failover from an unsteady relay',
  rows: [
    { id: SILENT, fault: 'the first of two relays is silent', crash: true },
    { id: FLAPS, fault: 'the first of two relays comes and goes', crash: true },
  ],

  run: (world, { factor }) => loseFirst(world, UNSTEADY, factor),
};
