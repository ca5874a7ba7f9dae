import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until } from '../../support/basics/wait-for.js';
import { httpRequest } from '../../support/requests/http-request.js';
import { type Mail, toRequest } from '../world/draft.js';
import { cure, type Poison, poison } from '../world/poison.js';
import type { World } from '../world/world.js';
import { gate, holdInSession } from './held.js';
import type { Scenario } from './scenario.js';

const POISONED = 'x1';
const UNMAKEABLE = 'x2';
const OTHER = 'x3';
/** Number of other emails per poisoned one; all kinds together make a thousand. */
const OTHERS = 110;
/** Emails on a connection together with the poisoned one, until after renewals of their leases. */
const HELD = 5;
/** Due time of a batch: all its emails are accepted by then. Milliseconds. */
const TOGETHER = 2_000;
/** A lease lasts 8 s. Milliseconds. */
const PAST_A_LEASE = 9_000;
/** How long the poisoned emails are watched: long enough to detect a flood of attempts. Milliseconds. */
const WATCHED = 50_000;
/** The first copy, one for each of the first two lost ends, and one after the repair. */
const NO_FLOOD = 4;

const ENDS: readonly Poison[] = ['close', 'record event', 'close attempt', 'open attempt', 'lease'];
/** A value that cannot be stored, a constraint, an exception, corrupt data, an unreadable file. */
const SQLSTATES = ['22P05', '23514', 'P0001', 'XX001', '58030'];

/** Simulates an hour: lost attempts count from their detection. */
const HURRY = `
WITH waiting AS (
  UPDATE nestjs_emails.deliveries SET due_at = now() WHERE due_at > now() + interval '1 minute' RETURNING email_id
)
UPDATE nestjs_emails.attempts a SET finished_at = finished_at - interval '1 hour'
FROM waiting WHERE a.email_id = waiting.email_id`;

/** Changes of rows that prevent the composition of a message. $1: email. */
const UNMAKE = {
  headers: `UPDATE nestjs_emails.emails SET headers = '"none"' WHERE id = $1`,
  sender: `UPDATE nestjs_emails.emails SET from_mailbox = 'nobody' WHERE id = $1`,
  content: `DELETE FROM nestjs_emails.attachment_contents
    WHERE hash IN (SELECT content_hash FROM nestjs_emails.attachments WHERE email_id = $1)`,
};

/** A thousand emails, of which a few cannot be stored, composed or ended. The others are delivered once, and soon. */
export const poisonedEmail: Scenario = {
  name: 'poisoned email',
  about: 'PostgreSQL away or locked',
  minutes: 1.1,
  // After the first few attempts, the next one is due after the end of the run.
  environment: { RETRY_SCHEDULE: '1s,1s,10m,10m,10m' },
  rows: [
    { id: POISONED, fault: 'one email that PostgreSQL refuses to store, lease or end' },
    { id: UNMAKEABLE, fault: 'one email that cannot be made' },
    { id: OTHER, fault: 'the other emails' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < factor; round++) {
      const since = Date.now();
      for (const kind of ENDS) await endless(world, kind);
      for (const kind of Object.keys(UNMAKE) as (keyof typeof UNMAKE)[]) await unmakeable(world, kind);
      const stored = await unstorable(world);
      await delay(Math.max(0, since + WATCHED - Date.now()));
      await cure(world.pool);
      await Promise.all([world.client.send(stored), hurry(world)]);
    }
  },
};

/** One email that cannot be ended, or not even started, leased and sent together with others. */
async function endless(world: World, kind: Poison): Promise<void> {
  const { opened, open } = gate();
  const sqlstate = world.random.pick(SQLSTATES);
  const due = Date.now() + TOGETHER;
  const drafts = [
    { row: POISONED, expect: 'ended' as const, atMost: NO_FLOOD },
    ...Array.from({ length: HELD }, () => ({ row: OTHER, atMost: 1 })),
  ];
  if (kind === 'close') {
    const [victim] = await holdInSession(world, drafts, opened);
    await poison(world.pool, kind, idOf(world, victim), sqlstate);
  } else {
    const victim = world.draft({ row: POISONED, expect: 'ended', atMost: NO_FLOOD, scheduledIn: TOGETHER });
    await world.client.send(victim);
    await poison(world.pool, kind, idOf(world, victim), sqlstate);
  }
  await sendOthers(world, due);
  if (kind === 'close') await delay(PAST_A_LEASE);
  open();
  world.hit(POISONED);
  await othersAreThrough(world, `${kind}, ${sqlstate}`);
}

async function unmakeable(world: World, kind: keyof typeof UNMAKE): Promise<void> {
  const due = Date.now() + TOGETHER;
  const attachment = `${kind} ${world.random.next()}`;
  const mail = world.draft({ row: UNMAKEABLE, expect: 'refused', attachment, scheduledIn: TOGETHER });
  await world.client.send(mail);
  await world.pool.query(UNMAKE[kind], [idOf(world, mail)]);
  await sendOthers(world, due);
  world.hit(UNMAKEABLE);
  await othersAreThrough(world, kind);
}

/** Refused repeatedly, while other requests are answered; a refused request does not use up its key. */
async function unstorable(world: World): Promise<Mail> {
  const { api, pool, random, token } = world;
  const mail = world.draft({ row: POISONED, atMost: 1 });
  const body = toRequest(mail) as { subject: string };
  const sqlstate = random.pick(SQLSTATES);
  await poison(pool, 'store', body.subject, sqlstate);
  let over = false;
  const ask = async () => {
    while (!over) {
      const headers = { 'idempotency-key': mail.tag };
      const { status } = await httpRequest(api.url, 'POST', '/emails', { token, body, headers });
      if (status < 400) world.complaints.push(`A request that cannot be stored is answered ${status}.`);
    }
  };
  const asking = Promise.all([ask(), ask()]);
  await sendOthers(world, Date.now());
  over = true;
  await asking;
  world.hit(POISONED);
  await othersAreThrough(world, `store, ${sqlstate}`);
  return mail;
}

/** All due at one time, so that they are leased and ended in groups. */
async function sendOthers(world: World, due: number): Promise<void> {
  const mails = Array.from({ length: OTHERS }, () =>
    world.draft({ row: OTHER, atMost: 1, scheduledIn: Math.max(0, due - Date.now()) }),
  );
  await Promise.all(mails.map((mail) => world.client.send(mail)));
}

async function othersAreThrough(world: World, what: string): Promise<void> {
  await until(async () => (await world.owed(OTHER)) === 0, { timeout: world.recoveryLimit, interval: 100 }).catch(
    () => {
      world.complaints.push(`Emails wait for another one that is poisoned (${what}).`);
    },
  );
}

/** Makes deferred emails due now, until none is left. */
async function hurry(world: World): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while ((await world.owed(POISONED, UNMAKEABLE)) > 0 && Date.now() < deadline) {
    await world.pool.query(HURRY);
    await delay(500);
  }
}

function idOf(world: World, mail: Mail | undefined): string {
  const [id] = world.idsOf(mail?.tag ?? '');
  if (id === undefined) throw new Error('This email has no id yet.');
  return id;
}
