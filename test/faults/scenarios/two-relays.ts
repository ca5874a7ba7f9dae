import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/basics/wait-for.js';
import type { FaultAt } from '../sink/mail-sink.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';

/** Minimum duration of an outage. Milliseconds. */
const AWAY = 3_000;
/** Time within which 95 % of the mail is out. Milliseconds. */
const OUT = 10_000;

/** A kind of outage of the first of two relays, for all workers. */
export interface Outage {
  row: string;
  begin(world: World, workers: readonly Slot[]): Promise<void> | void;
  end(world: World, workers: readonly Slot[]): Promise<void> | void;
  /** Workers die during the outage, and others start during it. */
  deadly?: true;
  /** Its mail goes on to the first relay, and leaves once that is well again. */
  stays?: true;
  /** Milliseconds between two emails. Default: 20. */
  every?: number;
  /** Looks at the rows of its emails. */
  inspect?(world: World): Promise<void>;
}

/** An outage by the replies of the relay. */
export function fault(at: (world: World) => FaultAt): Pick<Outage, 'begin' | 'end'> {
  return {
    begin: (world) => world.first.impose(at(world)),
    end: ({ first }) => first.impose(),
  };
}

/** The first of two relays has each of these outages, with mail under way, while mail goes on coming. */
export async function loseFirst(world: World, outages: readonly Outage[], rounds: number): Promise<void> {
  const workers = [await world.worker(), await world.worker()];
  await world.api.start();
  await world.bar();
  await Promise.all(workers.map((worker) => worker.start()));
  for (let round = 0; round < rounds; round++) {
    for (const outage of outages) {
      await suffer(world, workers, outage);
      world.hit(outage.row);
      const isOver = await world.settle();
      await outage.end(world, workers);
      if (!isOver) return;
      await outage.inspect?.(world);
    }
  }
  const { accepted } = world.barred;
  if (accepted > 0) world.complaints.push(`A relay whose mail is paused got ${accepted} messages.`);
}

async function suffer(world: World, workers: readonly Slot[], outage: Outage): Promise<void> {
  const { row, deadly, stays, every = 20 } = outage;
  const { accepted } = world.first;
  const load = startLoad(world, () => ({ row }), every);
  // After an outage its workers may not know yet that it is back.
  await until(() => world.first.accepted > accepted, { interval: 20, what: 'mail by the first relay' });
  await delay(300);
  const away = outage.begin(world, workers);
  world.noteOutage();
  await Promise.all([away, delay(AWAY)]);
  if (deadly) for (const worker of workers) await restart(world, worker);
  await load.end();
  if (stays) await outage.end(world, workers);
  const ended = performance.now();
  const all = await world.all(row);
  await until(async () => (await world.owed(row)) <= all / 20, { interval: 20, what: '95 % of the mail to leave' });
  const took = performance.now() - ended;
  const by = stays ? 'the first' : 'the second';
  world.remarks.set(row, `95 % of the mail left by ${by} within ${(took / 1_000).toFixed(1)} s`);
  if (took > OUT * world.slowness) {
    world.complaints.push(`"${row}": a twentieth of the mail still waited after ${Math.round(took)} ms.`);
  }
}

async function restart(world: World, worker: Slot): Promise<void> {
  await world.kill(worker);
  await worker.start();
}
