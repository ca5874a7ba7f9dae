import { setTimeout as delay } from 'node:timers/promises';
import { batchRequest, postRequests } from '../support/message.js';
import { processorTime, type Side, type Stage, TOKEN } from '../support/stage.js';
import { refuseErrors, withSide } from './post.js';
import { type Figures, quotient, type Row } from './row.js';

/** Emails of one batch. */
const SIZE = 100;
/** Calls at once of a caller who does not wait for each. Concurrent ones share a statement. */
const BESIDE = 10;
/** After which the queue has the last of them. Milliseconds. */
const SETTLED = 300;

/** Microseconds of each email, by whose processes took them. */
type Cost = Record<'host' | 'postgres' | 'redis', number>;

async function timeOf(stage: Stage, { pid }: Side): Promise<Cost> {
  return { host: processorTime(pid), ...(await stage.serversTime()) };
}

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
  const before = await timeOf(stage, side);
  await ask(emails / each);
  await delay(SETTLED);
  const after = await timeOf(stage, side);
  const spent = (whose: keyof Cost) => (after[whose] - before[whose]) / emails;
  return { host: spent('host'), postgres: spent('postgres'), redis: spent('redis') };
}

async function figuresOf(stage: Stage, name: string, asked: Asked): Promise<Figures> {
  const place = await stage.place('redis');
  const { host, postgres, redis } = await withSide(stage.ours(place, 'api'), (side) => costOf(stage, side, asked));
  await place.drop();
  return {
    [`${name} µs`]: host + postgres + redis,
    [`${name} host µs`]: host,
    [`${name} PostgreSQL µs`]: postgres,
    [`${name} Redis µs`]: redis,
  };
}

export const batch: Row = {
  name: 'batch',
  title: 'Processor time of an email, of 100 in one call and of 100 calls, of all processes, Redis queue',
  short: true,
  ratios: [
    { what: 'one call / 100 calls in turn', of: quotient('batch µs', 'in turn µs'), atMost: 0.25 },
    { what: 'one call / 100 calls, ten at a time', of: quotient('batch µs', 'beside µs') },
  ],
  async round(stage, scale) {
    const emails = Math.ceil(scale.emails / 5 / SIZE) * SIZE;
    const singles = { requests: postRequests(TOKEN, SIZE), emails, each: 1 };
    return {
      ...(await figuresOf(stage, 'in turn', { ...singles, connections: 1 })),
      ...(await figuresOf(stage, 'beside', { ...singles, connections: BESIDE })),
      // As many requests as make the host warm.
      ...(await figuresOf(stage, 'batch', {
        requests: [batchRequest(TOKEN)],
        connections: 1,
        emails: 5 * emails,
        each: SIZE,
      })),
    };
  },
};
