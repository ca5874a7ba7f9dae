import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/basics/wait-for.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const REFUSED = 'h1';
const SILENT = 'h2';
const FLAPS = 'h3';
const KILLED = 'h4';

/** Minimum duration of the outage. Milliseconds. */
const AWAY = 3_000;
/** Time after the load within which 95 % of the mail is out, while the first relay is still away. Milliseconds. */
const OUT = 10_000;
/** From one change to the next of a relay that comes and goes. Milliseconds. */
const FLAP = 200;

const MANY = Number.POSITIVE_INFINITY;

/** A kind of outage of the first of two relays, for all workers. */
interface Outage {
  row: string;
  begin(workers: readonly Slot[]): Promise<unknown>;
  /** Workers die during the outage, and others start during it. */
  deadly?: true;
}

const refuse = (workers: readonly Slot[]) => Promise.all(workers.map(({ smtp }) => smtp.refuse()));
const restore = (workers: readonly Slot[]) => Promise.all(workers.map(({ smtp }) => smtp.restore()));

const OUTAGES: readonly Outage[] = [
  { row: REFUSED, begin: refuse },
  {
    row: SILENT,
    begin: async (workers) => {
      for (const { smtp } of workers) smtp.impose({ kind: 'blackHole' });
    },
  },
  { row: FLAPS, begin: flap },
  { row: KILLED, begin: refuse, deadly: true },
];

async function flap(workers: readonly Slot[]): Promise<void> {
  for (let times = 0; times < 10; times++) {
    await refuse(workers);
    await delay(FLAP);
    await restore(workers);
    await delay(FLAP);
  }
  await refuse(workers);
}

/** The first of two relays goes away with mail under way, and mail goes on coming. It leaves by the second. */
export const failover: Scenario = {
  name: 'failover',
  about: 'next hop lost',
  minutes: 0.8,
  bothWays: true,
  hasBackup: true,
  smtpQuery: '?connectionTimeout=2000&greetingTimeout=2000&socketTimeout=4000',
  traced: { away: MANY, busy: MANY, lostReply: MANY, crash: 2 },
  rows: [
    { id: REFUSED, fault: 'the first of two relays refuses connections', crash: true },
    { id: SILENT, fault: 'the first of two relays is silent', crash: true },
    { id: FLAPS, fault: 'the first of two relays comes and goes', crash: true },
    { id: KILLED, fault: 'the first of two relays is away, and workers are killed meanwhile', crash: true },
  ],

  async run(world, { factor }) {
    const workers = [await world.worker(), await world.worker()];
    await Promise.all([world.api.start(), ...workers.map((worker) => worker.start())]);
    for (let round = 0; round < factor; round++) {
      for (const outage of OUTAGES) {
        await loseFirst(world, workers, outage);
        world.hit(outage.row);
        if (!(await world.settle())) return;
        for (const { smtp } of workers) smtp.lift();
        await restore(workers);
      }
    }
  },
};

async function loseFirst(world: World, workers: readonly Slot[], { row, begin, deadly }: Outage): Promise<void> {
  const load = startLoad(world, () => ({ row }), 20);
  await delay(300);
  const away = begin(workers);
  world.noteOutage();
  await Promise.all([away, delay(AWAY)]);
  if (deadly) for (const worker of workers) await restart(world, worker);
  await load.end();
  const ended = performance.now();
  const all = await world.all(row);
  await until(async () => (await world.owed(row)) <= all / 20, { interval: 20, what: 'mail by the second relay' });
  const took = performance.now() - ended;
  world.remarks.set(row, `95 % of the mail left by the second within ${(took / 1_000).toFixed(1)} s`);
  if (took > OUT * world.slowness) {
    world.complaints.push(`"${row}": a twentieth of the mail still waited ${Math.round(took)} ms after the load.`);
  }
}

async function restart(world: World, worker: Slot): Promise<void> {
  await world.kill(worker);
  await worker.start();
}
