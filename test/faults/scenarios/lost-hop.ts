import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/basics/wait-for.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const REFUSED = 'g1';
const SILENT = 'g2';
const TURNED_AWAY = 'g3';
const KILLED = 'g4';

/** An email with a second attempt before the next hop returns has exhausted its schedule for this run. */
const SCHEDULE = '1s,1h,1h';
/** Time until delivery continues after the return of the next hop, on an idle machine. Milliseconds. */
const GOES_ON = 2_000;
/** Minimum duration of the outage. Milliseconds. */
const AWAY = 3_000;
/** Emails that have to wait before it comes back. */
const WAITING = 40;

const MANY = Number.POSITIVE_INFINITY;

/** A kind of outage of the next hop, for all workers. */
interface Outage {
  row: string;
  begin(world: World, workers: readonly Slot[]): Promise<void> | void;
  end(world: World, workers: readonly Slot[]): Promise<void> | void;
  /** Workers die during the outage, and others start during it. */
  deadly?: true;
}

const refused = {
  begin: async (_: World, workers: readonly Slot[]) =>
    void (await Promise.all(workers.map(({ smtp }) => smtp.refuse()))),
  end: async (_: World, workers: readonly Slot[]) =>
    void (await Promise.all(workers.map(({ smtp }) => smtp.restore()))),
};

const OUTAGES: readonly Outage[] = [
  { row: REFUSED, ...refused },
  {
    row: SILENT,
    begin: (_, workers) => {
      for (const { smtp } of workers) smtp.impose({ kind: 'blackHole' });
    },
    end: (_, workers) => {
      for (const { smtp } of workers) smtp.lift();
    },
  },
  {
    row: TURNED_AWAY,
    begin: ({ sink }, workers) => {
      sink.turnAway('421 4.3.2 closed for a while');
      for (const { smtp } of workers) smtp.cut();
    },
    end: ({ sink }) => sink.turnAway(),
  },
  { row: KILLED, ...refused, deadly: true },
];

/**
 * The next hop goes away with mail under way, and mail goes on coming. It waits without an attempt, is reported as delayed
 * once, and goes on when the next hop is back.
 */
export const lostHop: Scenario = {
  name: 'lost next hop',
  about: 'next hop lost',
  minutes: 0.8,
  bothWays: true,
  // An attempt that is cut twice has exhausted its schedule, too: on a slow machine a reply may take seconds.
  smtpQuery: '?connectionTimeout=2000&greetingTimeout=2000&socketTimeout=8000',
  environment: { RETRY_SCHEDULE: SCHEDULE },
  traced: { away: MANY, busy: MANY, lostReply: MANY, crash: 2 },
  rows: [
    { id: REFUSED, fault: 'the next hop refuses connections for a while', crash: true },
    { id: SILENT, fault: 'the next hop is silent for a while', crash: true },
    { id: TURNED_AWAY, fault: 'the next hop says 421 to everybody for a while', crash: true },
    { id: KILLED, fault: 'the next hop is away, and workers are killed meanwhile', crash: true },
  ],

  async run(world, { factor }) {
    const workers = [await world.worker(), await world.worker()];
    await Promise.all([world.api.start(), ...workers.map((worker) => worker.start())]);
    for (let round = 0; round < factor; round++) {
      for (const outage of OUTAGES) {
        await tell(world, workers, outage);
        world.hit(outage.row);
        if (!(await world.settle())) return;
        await inspect(world, outage.row);
      }
    }
  },
};

async function tell(world: World, workers: readonly Slot[], { row, begin, end, deadly }: Outage): Promise<void> {
  const load = startLoad(world, () => ({ row }), 20);
  await delay(300);
  await begin(world, workers);
  const delayed = () => world.count(`last_event = 'delivery_delayed'`);
  await Promise.all([delay(AWAY), until(async () => (await delayed()) >= WAITING, { what: 'mail that waits' })]);
  await load.end();
  if (deadly) for (const worker of workers) await restart(world, worker);
  // By now all pending emails are marked as waiting.
  await until(async () => (await delayed()) === (await world.owed(row)), { what: 'all mail to wait' });
  const taken = world.sink.taken.size;
  const back = performance.now();
  await end(world, workers);
  world.noteOutage();
  await until(() => world.sink.taken.size > taken, { interval: 5, what: 'the first email after an outage' });
  const took = performance.now() - back;
  world.remarks.set(row, `mail goes on after ${(took / 1_000).toFixed(1)} s`);
  if (took > GOES_ON * world.slowness) {
    world.complaints.push(`"${row}": the first email came ${Math.round(took)} ms after the next hop was back.`);
  }
}

async function restart(world: World, worker: Slot): Promise<void> {
  await world.kill(worker);
  await worker.start();
}

const TOLD = `
SELECT count(*) FILTER (WHERE delays > 1 + unknown)::integer AS often, count(*) FILTER (WHERE counted > ends + unmade)::integer AS burnt
FROM (
  SELECT d.attempts AS counted,
    (SELECT count(*) FROM nestjs_emails.events v WHERE v.email_id = d.email_id AND v.type = 'delivery_delayed') AS delays,
    (SELECT count(*) FROM nestjs_emails.attempts a WHERE a.email_id = d.email_id) AS ends,
    (SELECT count(DISTINCT v.attempt) FROM nestjs_emails.events v
     WHERE v.email_id = d.email_id AND v.reason_code = 'message_not_made') AS unmade,
    (SELECT count(*) FROM nestjs_emails.attempts a WHERE a.email_id = d.email_id AND a.unknown) AS unknown
  FROM nestjs_emails.deliveries d JOIN nestjs_emails.idempotency_keys k USING (email_id) WHERE k.key LIKE $1
) AS told`;

/**
 * An outage is recorded once, and does not count as an attempt. An attempt that the outage interrupted has its own
 * delay, and one whose message could not be made in time, on a machine that is too slow, counts without being written.
 */
async function inspect(world: World, row: string): Promise<void> {
  const { rows } = await world.pool.query<{ often: number; burnt: number }>(TOLD, [`${row}-%`]);
  const { often = 0, burnt = 0 } = rows[0] ?? {};
  if (often > 0) world.complaints.push(`"${row}": ${often} emails were reported as delayed more than once.`);
  if (burnt > 0) world.complaints.push(`"${row}": ${burnt} emails have counts for attempts that did not happen.`);
}
