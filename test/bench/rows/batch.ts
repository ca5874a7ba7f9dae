import { setTimeout as delay } from 'node:timers/promises';
import { batchRequest, postRequests } from '../support/message.js';
import { processorTime, type Side, type Stage, TOKEN } from '../support/stage.js';
import { refuseErrors, withSide } from './post.js';
import { type Figures, quotient, type Row } from './row.js';

/** Emails of one batch. */
const SIZE = 100;
/** Calls at once. */
const CONNECTIONS = 10;
/** After which the queue has the last of them. Milliseconds. */
const SETTLED = 300;

/** Microseconds of each email, by whose processes took them. */
type Cost = Record<'host' | 'postgres' | 'redis', number>;

async function timeOf(stage: Stage, { pid }: Side): Promise<Cost> {
  return { host: processorTime(pid), ...(await stage.serversTime()) };
}

/** @param each emails of one request */
async function costOf(stage: Stage, side: Side, requests: string[], emails: number, each: number): Promise<Cost> {
  const load = { port: side.port, requests, connections: CONNECTIONS };
  const ask = async (count: number) => refuseErrors((await stage.load({ ...load, count })).statuses);
  await ask(Math.ceil(emails / each / 5));
  const before = await timeOf(stage, side);
  await ask(emails / each);
  await delay(SETTLED);
  const after = await timeOf(stage, side);
  const spent = (whose: keyof Cost) => (after[whose] - before[whose]) / emails;
  return { host: spent('host'), postgres: spent('postgres'), redis: spent('redis') };
}

async function figuresOf(stage: Stage, name: string, ...asked: [string[], number, number]): Promise<Figures> {
  const place = await stage.place('redis');
  const { host, postgres, redis } = await withSide(stage.ours(place, 'api'), (side) => costOf(stage, side, ...asked));
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
  title: 'Processor time of an email, one of 100 in one call and one of 100 calls, of all processes, Redis queue',
  short: true,
  ratios: [{ what: 'one call / 100 calls', of: quotient('batch µs', 'single µs'), atMost: 0.25 }],
  async round(stage, { emails }) {
    const count = Math.ceil(emails / SIZE) * SIZE;
    const single = await figuresOf(stage, 'single', postRequests(TOKEN, SIZE), count, 1);
    const together = await figuresOf(stage, 'batch', [batchRequest(TOKEN, SIZE)], count, SIZE);
    return { ...single, ...together };
  },
};
