import { setTimeout as delay } from 'node:timers/promises';
import { postRequests, requestTo } from '../support/message.js';
import { call, type Place, type Side, type Stage, TOKEN } from '../support/stage.js';
import { costFigures, meter } from './cost.js';
import { type Posted, posted, refuseErrors, together, warmUp, withSide } from './post.js';
import { inSlices, inTurn, quotient, type Row, SLICE } from './row.js';

const EMAILS = 1_000;
/** Concurrent calls of a caller. */
const BESIDE = 10;

/** Accepts emails for tomorrow, and resolves with their ids. */
async function scheduled(stage: Stage, place: Place, { port }: Side): Promise<string[]> {
  const later = { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() };
  const load = { port, requests: postRequests(TOKEN, 100, later), connections: BESIDE, count: EMAILS };
  refuseErrors((await stage.load(load)).statuses);
  const rows = await place.query<{ id: string }>(
    "SELECT email_id AS id FROM nestjs_emails.deliveries WHERE last_event = 'scheduled'",
  );
  return rows.map(({ id }) => id);
}

async function cancelOneByOne(stage: Stage, { port }: Side, ids: readonly string[], connections: number) {
  const requests = ids.map((id) => requestTo(`/emails/${id}/cancel`, TOKEN, {}));
  refuseErrors((await stage.load({ port, requests, connections, count: ids.length })).statuses);
}

async function cancelTogether(side: Side, ids: readonly string[]): Promise<void> {
  const { id } = await call<{ id: string }>(side, 'POST', '/emails/actions', { action: 'cancel', ids });
  for (let done = 0, status = 'running'; ; await delay(20)) {
    ({ done, status } = await call<{ done: number; status: string }>(side, 'GET', `/emails/actions/${id}`));
    if (status === 'running') continue;
    if (done < ids.length) throw new Error(`An action canceled ${done} of ${ids.length} emails.`);
    return;
  }
}

/** Cancels as many emails before, which warms the host. */
async function measured(stage: Stage, place: Place, side: Side, cancel: (ids: string[]) => Promise<void>) {
  await cancel(await scheduled(stage, place, side));
  const ids = await scheduled(stage, place, side);
  const cost = await meter(stage, [side]);
  const began = performance.now();
  await cancel(ids);
  const seconds = (performance.now() - began) / 1_000;
  return { seconds, cost: await cost(ids.length) };
}

export const actions: Row = {
  name: 'actions',
  title:
    'Processor time of an email that is canceled, by one action on 1,000 and by 1,000 calls, of all processes, Redis queue',
  ratios: [
    { what: 'action / calls in turn', of: quotient('action µs', 'in turn µs'), atMost: 1 },
    { what: 'action / calls, ten at a time', of: quotient('action µs', 'ten at once µs') },
    { what: 'seconds, action / calls in turn', of: quotient('action seconds', 'in turn seconds'), alone: true },
  ],
  async round(stage, _scale, turn) {
    const place = await stage.place('redis');
    const results = await withSide(stage.ours(place, 'all'), (side) => {
      const measure = (cancel: (ids: string[]) => Promise<void>) => () => measured(stage, place, side, cancel);
      return inTurn(turn, {
        inTurn: measure((ids) => cancelOneByOne(stage, side, ids, 1)),
        atOnce: measure((ids) => cancelOneByOne(stage, side, ids, BESIDE)),
        action: measure((ids) => cancelTogether(side, ids)),
      });
    });
    await place.drop();
    return {
      'in turn seconds': results.inTurn.seconds,
      'action seconds': results.action.seconds,
      ...costFigures('in turn', results.inTurn.cost),
      ...costFigures('ten at once', results.atOnce.cost),
      ...costFigures('action', results.action.cost),
    };
  },
};

const KEYS = 20;
/** PostgreSQL discards the records. Statement and transaction of a record remain. */
const DISCARD = 'CREATE RULE discard AS ON INSERT TO nestjs_emails.actions DO INSTEAD NOTHING';
const KEEP = 'DROP RULE IF EXISTS discard ON nestjs_emails.actions';

export const recording: Row = {
  name: 'recording',
  title: 'Processor time of a change of an API key, with its record stored and discarded, of all processes',
  ratios: [{ what: 'stored / discarded', of: quotient('stored µs', 'discarded µs'), atMost: 1.25 }],
  async round(stage, { seconds }, turn) {
    const place = await stage.place('redis');
    const slices = await withSide(stage.ours(place, 'api'), async (side) => {
      const requests = await renamings(side);
      const measure = (statement: string) => async (): Promise<Posted> => {
        await place.query(statement);
        return posted(stage, side, SLICE, undefined, requests);
      };
      await warmUp(stage, side, seconds);
      return inSlices(turn, seconds, { discarded: measure(`${KEEP}; ${DISCARD}`), stored: measure(KEEP) });
    });
    await place.drop();
    return {
      'stored µs': together(slices.map(({ stored }) => stored)).all,
      'discarded µs': together(slices.map(({ discarded }) => discarded)).all,
    };
  },
};

/** Requests that give each of several keys two names, in turn. */
async function renamings(side: Side): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < KEYS) ids.push((await call<{ id: string }>(side, 'POST', '/api-keys', { name: 'key' })).id);
  return ['one', 'two'].flatMap((name) => ids.map((id) => requestTo(`/api-keys/${id}`, TOKEN, { name }, 'PATCH')));
}
