import { setTimeout as delay } from 'node:timers/promises';
import type { Received } from '../load/receiver.js';
import { Child } from '../support/child.js';
import { postRequests } from '../support/message.js';
import { makeAccount, type Place, type Side, type Stage, TOKEN } from '../support/stage.js';
import { type Cost, costFigures, meter, whole } from './cost.js';
import { delivered, oursDelivers, preload } from './delivery.js';
import { refuseErrors, withSide } from './post.js';
import { inTurn, quotient, type Row } from './row.js';

const EVENTS = ['email.sent', 'email.delivered', 'email.bounced', 'email.failed'];
/** Number of POSTs in the cost comparison. */
const CONNECTIONS = 20;
/** Endpoints of which one is slow, emails a second, and how long. Milliseconds. */
const SLOW = { endpoints: 10, rate: 20, seconds: 20 };

type Receiver = Child<{ port: number }>;

async function withReceiver<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = await Child.start<{ port: number }>('load/receiver.ts');
  try {
    return await work(receiver);
  } finally {
    await receiver.stop();
  }
}

async function createEndpoint({ port }: Side, { ready }: Receiver, path: string, token = TOKEN): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: `http://127.0.0.1:${ready.port}/${path}`, events: EVENTS }),
  });
  if (answer.status !== 201) throw new Error(`No endpoint: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Events that wait for an endpoint, in any table. */
const WAITS = `
SELECT (SELECT count(*) FROM nestjs_emails.event_outbox) +
  (SELECT count(*) FROM nestjs_emails.webhook_events WHERE due_at IS NOT NULL) AS count`;

async function untilTold(place: Place): Promise<void> {
  for (let count = 1; count > 0; await delay(50)) {
    count = Number((await place.query<{ count: string }>(WAITS))[0]?.count);
  }
}

/** Delivery while an endpoint gets its events, and the rate of the remaining events after delivery. */
export const delivering: Row = {
  name: 'webhooks-delivery',
  title: 'Delivery with an endpoint for webhooks and without, Redis queue',
  ratios: [{ what: 'with / without', of: quotient('with/s', 'without/s'), atLeast: 0.85 }],
  async round(stage, { emails }, turn) {
    return withReceiver(async (receiver) => {
      const alone = async () => {
        const place = await stage.place('redis');
        const result = await oursDelivers(stage, place, emails);
        await place.drop();
        return { ...result, told: 0, after: 0 };
      };
      const watched = async () => {
        const place = await stage.place('redis');
        await withSide(stage.ours(place, 'api'), (side) => createEndpoint(side, receiver, 'all'));
        await preload(stage, stage.ours(place, 'api'), emails);
        await receiver.ask('reset');
        let told = 0;
        let after = 0;
        const result = await delivered(
          stage,
          () => [
            untold(stage, place, receiver, (during, rest) => {
              told = during;
              after = rest;
            }),
          ],
          emails,
        );
        await place.drop();
        return { ...result, told, after };
      };
      const { without, with: observed } = await inTurn(turn, { without: alone, with: watched });
      return {
        'without/s': without.rate,
        'with/s': observed.rate,
        'sent meanwhile': observed.told,
        'sent afterwards/s': observed.after,
        ...costFigures('without CPU', without.cost),
        ...costFigures('with CPU', observed.cost),
      };
    });
  },
};

/** A worker that is stopped when all events are sent. */
async function untold(
  stage: Stage,
  place: Place,
  receiver: Receiver,
  tell: (during: number, afterPerSecond: number) => void,
): Promise<Side> {
  const side = await stage.ours(place, 'worker');
  const stop = async () => {
    const { count: during } = await receiver.ask<Received>('count');
    const began = performance.now();
    await untilTold(place);
    const { count } = await receiver.ask<Received>('count');
    tell(during, (count - during) / ((performance.now() - began) / 1_000));
    await side.stop();
  };
  return { ...side, stop };
}

/** Cost without subscriptions: the trigger that would write the outbox, in the POST and in the delivery. */
export const unused: Row = {
  name: 'webhooks-unused',
  title: 'Processor time of an email with no endpoint, with the outbox and without, Redis queue',
  ratios: [
    { what: 'POST, with / without', of: quotient('POST with µs', 'POST without µs'), atMost: 1.03 },
    { what: 'delivery, with / without', of: quotient('delivery with µs', 'delivery without µs'), atMost: 1.03 },
  ],
  async round(stage, { emails }, turn) {
    const measured = async (has: boolean) => {
      const place = await stage.place('redis');
      // A process reads it at its start.
      const trigger = (what: 'ENABLE' | 'DISABLE') =>
        has ? [] : place.query(`ALTER TABLE nestjs_emails.events ${what} TRIGGER publish_events`);
      const posted = await withSide(stage.ours(place, 'api'), async (side) => {
        await trigger('DISABLE');
        return postCost(stage, side, emails);
      });
      await trigger('ENABLE');
      const worker = async () => {
        const side = await stage.ours(place, 'worker');
        await trigger('DISABLE');
        return side;
      };
      const { cost } = await delivered(stage, () => [worker()], emails);
      await place.drop();
      return { post: posted, delivery: cost };
    };
    const { without, with: used } = await inTurn(turn, { without: () => measured(false), with: () => measured(true) });
    return {
      'POST without µs': whole(without.post),
      'POST with µs': whole(used.post),
      'delivery without µs': whole(without.delivery),
      'delivery with µs': whole(used.delivery),
    };
  },
};

async function postCost(stage: Stage, side: Side, count: number): Promise<Cost> {
  const cost = await meter(stage, [side]);
  const load = { port: side.port, requests: postRequests(TOKEN), connections: CONNECTIONS, count };
  const { statuses, sent } = await stage.load(load);
  refuseErrors(statuses);
  return cost(sent);
}

/** From event to request, of all responsive endpoints. @param hang starts the hanging ones before the load */
async function toldMeanwhile(
  stage: Stage,
  seconds: number,
  endpoints: readonly string[],
  hang: (place: Place, side: Side, receiver: Receiver) => Promise<void> = async () => {},
): Promise<Received> {
  return withReceiver(async (receiver) => {
    const place = await stage.place('redis');
    const told = await withSide(stage.ours(place, 'all'), async (side) => {
      for (const path of endpoints) await createEndpoint(side, receiver, path);
      await hang(place, side, receiver);
      const load = { port: side.port, requests: postRequests(TOKEN), connections: 10, rate: SLOW.rate };
      await stage.load({ ...load, seconds: 2 });
      await receiver.ask('reset');
      refuseErrors((await stage.load({ ...load, seconds })).statuses);
      await delay(1_000);
      return receiver.ask<Received>('count');
    });
    await place.drop();
    return told;
  });
}

const QUICK = Array.from({ length: SLOW.endpoints - 1 }, (_, index) => `quick${index + 1}`);
const slowFigures = ({ quick, slow }: Record<'quick' | 'slow', Received>) => ({
  'quick p50 ms': quick.p50,
  'quick p99 ms': quick.p99,
  'slow p50 ms': slow.p50,
  'slow p99 ms': slow.p99,
});

/** Webhooks of others, from event to request, next to an endpoint that almost times out at each request. */
export const slowEndpoint: Row = {
  name: 'webhooks-slow',
  title: 'p99 of webhooks of nine endpoints, the tenth quick or answering after 14 s, Redis queue',
  ratios: [{ what: 'slow / quick', of: quotient('slow p99 ms', 'quick p99 ms'), atMost: 1.1 }],
  async round(stage, { sustained }, turn) {
    const seconds = Math.min(sustained, SLOW.seconds);
    const measured = (last: string) => toldMeanwhile(stage, seconds, [...QUICK, last]);
    return slowFigures(await inTurn(turn, { quick: () => measured('quick'), slow: () => measured('slow') }));
  },
};

/** $1: events of each webhook of other accounts. */
const MAKE_EVENTS = `
WITH hanging AS (SELECT id, account_id FROM nestjs_emails.webhooks WHERE endpoint LIKE '%/hang'),
stored AS (
  INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body)
  SELECT account_id, 'msg_' || lpad(n::text, 27, '0'), '{}'
  FROM (SELECT DISTINCT account_id FROM hanging) AS accounts, generate_series(1, $1) AS n RETURNING id, account_id, event_id
)
INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id)
SELECT h.id, h.account_id, s.event_id, 'email.sent', now(), s.id FROM hanging h JOIN stored s USING (account_id)`;
/** More than are sent during the measurement. */
const HANGING_EVENTS = 50;

/** The webhooks of one account, while endpoints of others never answer. */
function hangingEndpoints(accounts: number, endpoints: number): Row {
  const hang = async (place: Place, side: Side, receiver: Receiver) => {
    for (let account = 0; account < accounts; account++) {
      const token = await makeAccount(place, `hanging ${account}`);
      for (let endpoint = 0; endpoint < endpoints; endpoint++) await createEndpoint(side, receiver, 'hang', token);
    }
    await place.query(MAKE_EVENTS, [HANGING_EVENTS]);
  };
  return {
    name: `webhooks-hanging-${accounts}x${endpoints}`,
    title: `p99 of webhooks of one account, alone and next to ${accounts} accounts with ${endpoints} endpoints each that never answer, Redis queue`,
    ratios: [{ what: 'slow / quick', of: quotient('slow p99 ms', 'quick p99 ms'), atMost: 2 }],
    async round(stage, { sustained }, turn) {
      const seconds = Math.min(sustained, SLOW.seconds);
      const quick = () => toldMeanwhile(stage, seconds, QUICK);
      const slow = () => toldMeanwhile(stage, seconds, QUICK, hang);
      return slowFigures(await inTurn(turn, { quick, slow }));
    },
  };
}

export const hanging: readonly Row[] = [hangingEndpoints(50, 1), hangingEndpoints(5, 10), hangingEndpoints(21, 10)];
