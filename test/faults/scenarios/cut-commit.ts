import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { within } from '../../support/basics/wait-for.js';
import { httpRequest } from '../../support/requests/http-request.js';
import { type Mail, toRequest } from '../world/draft.js';
import { acceptedEmails, isAccept } from '../world/statements.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const BEFORE = 'a5';
const AFTER = 'a6';
const AFTER_AND_AWAY = 'a7';
/** Duration of the outage of PostgreSQL, milliseconds. */
const AWAY = 1_500;
/** An unused port. */
const NOBODY = 1;

/** Cuts the API off from PostgreSQL around a commit. Its answer must match the stored state of the email. */
export const cutCommit: Scenario = {
  name: 'cut commit',
  about: 'PostgreSQL away or locked',
  minutes: 0.3,
  rows: [
    { id: BEFORE, fault: 'connection to PostgreSQL cut before the commit', failpoint: true },
    { id: AFTER, fault: 'connection to PostgreSQL cut after the commit, before its answer', failpoint: true },
    { id: AFTER_AND_AWAY, fault: 'the same, and PostgreSQL stays away for a while', failpoint: true },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let hit = 0; hit < hits; hit++) {
      await cut(world, BEFORE, 'request', 0);
      await cut(world, AFTER, 'answer', 0);
    }
    for (let hit = 0; hit < hits; hit += 1) await cut(world, AFTER_AND_AWAY, 'answer', hit === 0 ? AWAY : 200);
  },
};

async function cut(world: World, row: string, moment: 'request' | 'answer', away: number): Promise<void> {
  const { postgres } = world.api;
  const mail = world.draft({ row, atMost: 1 });
  const trap = postgres.trap(
    moment,
    (exchange) => isAccept(exchange) && acceptedEmails(exchange).some(({ tag }) => tag === mail.tag),
  );
  const asked = ask(world, mail);
  await within(trap.sprung, PATIENCE, `Waiting for an email at "${row}"`);
  const { target } = postgres;
  if (away > 0) postgres.target = NOBODY;
  postgres.cut();
  trap.release();
  world.hit(row);
  await delay(away);
  postgres.target = target;
  const { status, text } = await asked;
  const stored = (await world.count(`email_id = '${[...world.idsOf(mail.tag)][0]}'`)) > 0;
  if (stored && /nothing was accepted/i.test(text)) {
    world.complaints.push(`"Nothing was accepted" (${status}), but the email is there (${row}).`);
  }
  // A safe repetition, with the same key.
  await world.client.send(mail);
}

async function ask(world: World, mail: Mail): Promise<{ status: number; text: string }> {
  const { api, token } = world;
  const headers = { 'idempotency-key': mail.tag };
  return httpRequest(api.url, 'POST', '/emails', { token, body: toRequest(mail), headers, timeout: PATIENCE });
}
