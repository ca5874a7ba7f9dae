import { batchRequest, postRequests } from '../support/message.js';
import { type Side, type Stage, TOKEN } from '../support/stage.js';
import { type Cost, costFigures, meter } from './cost.js';
import { refuseErrors, warmUp, withSide } from './post.js';
import { inTurn, quotient, type Row } from './row.js';

/** Emails of one batch. */
const SIZE = 100;
/** Concurrent calls of a caller. They share a statement. */
const BESIDE = 10;

interface Asked {
  requests: string[];
  connections: number;
  emails: number;
  /** Emails of one request. */
  each: number;
}

async function costOf(stage: Stage, side: Side, { emails, each, ...asked }: Asked): Promise<Cost> {
  const load = { port: side.port, ...asked };
  const ask = async (count: number) => refuseErrors((await stage.load({ ...load, count })).statuses);
  await ask(Math.ceil(emails / each / 5));
  const cost = await meter(stage, [side]);
  await ask(emails / each);
  return cost(emails);
}

async function freshCostOf(stage: Stage, seconds: number, asked: Asked): Promise<Cost> {
  const place = await stage.place('redis');
  const cost = await withSide(stage.ours(place, 'api'), async (side) => {
    // Batches of 100 warm the host themselves.
    if (asked.each === 1) await warmUp(stage, side, seconds);
    return costOf(stage, side, asked);
  });
  await place.drop();
  return cost;
}

export const batch: Row = {
  name: 'batch',
  title: 'Processor time of an email, of 100 in one call and of 100 calls, of all processes, Redis queue',
  short: {
    seconds: 12,
    about: [
      'libs/emails/src/emails/http/batch.controller.ts',
      'libs/emails/src/emails/queue/',
      'libs/emails/src/emails/send/',
      'libs/emails/src/emails/storage/',
      'test/bench/rows/batch.ts',
    ],
  },
  ratios: [
    { what: 'one call / 100 calls in turn', of: quotient('batch µs', 'in turn µs'), atMost: 0.25 },
    { what: 'one call / 100 calls, ten at a time', of: quotient('batch µs', 'ten at once µs') },
  ],
  async round(stage, scale, turn) {
    const emails = Math.ceil(scale.emails / 5 / SIZE) * SIZE;
    const singles = { requests: postRequests(TOKEN, SIZE), emails, each: 1 };
    // As many requests as make the host warm.
    const whole = { requests: [batchRequest(TOKEN)], connections: 1, emails: 5 * emails, each: SIZE };
    const costs = await inTurn(turn, {
      'in turn': () => freshCostOf(stage, scale.seconds, { ...singles, connections: 1 }),
      concurrent: () => freshCostOf(stage, scale.seconds, { ...singles, connections: BESIDE }),
      batch: () => freshCostOf(stage, scale.seconds, whole),
    });
    return {
      ...costFigures('in turn', costs['in turn']),
      ...costFigures('ten at once', costs.concurrent),
      ...costFigures('batch', costs.batch),
    };
  },
};
