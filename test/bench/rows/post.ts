import { postRequests } from '../support/message.js';
import { processorTime, type Queue, type Side, type Stage, TOKEN } from '../support/stage.js';
import { inTurn, quotient, type Ratio, type Row } from './row.js';

const CONNECTIONS = 50;
const WARM_UP = 2;

/** Accepted emails a second, as fast as answers come. */
export async function postRate(stage: Stage, side: Side, seconds: number): Promise<number> {
  return (await postCost(stage, side, seconds)).rate;
}

/** The same, and the microseconds of processor time that the side's process spends on each. */
async function postCost(stage: Stage, { port, pid }: Side, seconds: number): Promise<{ rate: number; cpu: number }> {
  const load = { port, requests: postRequests(TOKEN), connections: CONNECTIONS };
  await stage.load({ ...load, seconds: Math.min(WARM_UP, seconds) });
  const before = processorTime(pid);
  const { perSecond, sent, statuses } = await stage.load({ ...load, seconds });
  refuseErrors(statuses);
  return { rate: perSecond, cpu: (processorTime(pid) - before) / sent };
}

export function refuseErrors(statuses: Record<string, number>): void {
  const wrong = Object.keys(statuses).filter((status) => status !== '200');
  if (wrong.length > 0) throw new Error(`Answers other than 200: ${JSON.stringify(statuses)}`);
}

/** Starts a side, works with it, stops it. */
export async function withSide<T>(started: Promise<Side>, work: (side: Side) => Promise<T>): Promise<T> {
  const side = await started;
  try {
    return await work(side);
  } finally {
    await side.stop();
  }
}

function post(queue: Queue, title: string, bookTarget: number, floor?: Pick<Ratio, 'atLeast' | 'guard'>): Row {
  return {
    name: `post-${queue}`,
    title,
    short: true,
    ratios: [
      { what: 'ours / book', of: quotient('ours/s', 'book/s'), atLeast: bookTarget },
      { what: 'ours / floor', of: quotient('ours/s', 'floor/s'), ...floor },
    ],
    async round(stage, { seconds }, turn) {
      const cost = (side: Side) => postCost(stage, side, seconds);
      const place = await stage.place(queue);
      const { floor, book, ours } = await inTurn(turn, {
        floor: () => withSide(stage.floor(), cost),
        book: () => withSide(stage.book(place, 'api'), cost),
        ours: () => withSide(stage.ours(place, 'api'), cost),
      });
      await place.drop();
      return {
        'floor/s': floor.rate,
        'book/s': book.rate,
        'ours/s': ours.rate,
        'floor CPU µs': floor.cpu,
        'book CPU µs': book.cpu,
        'ours CPU µs': ours.cpu,
      };
    },
  };
}

export const postRedis = post('redis', 'POST /emails, 50 connections, Redis queue', 3, { atLeast: 1.1, guard: 1 });
export const postPostgres = post('postgres', 'POST /emails, 50 connections, PostgreSQL queue', 2.5);

/** Half of what ours takes at most, the same number of requests a second for both. */
export const latency: Row = {
  name: 'latency',
  title: 'p99 of POST /emails at half of its load, Redis queue',
  ratios: [{ what: 'ours / floor', of: quotient('ours p99 ms', 'floor p99 ms'), atMost: 2 }],
  async round(stage, { seconds }, turn) {
    const place = await stage.place('redis');
    const rate = (await withSide(stage.ours(place, 'api'), (side) => postRate(stage, side, seconds))) / 2;
    const paced = async (side: Side) => {
      await postRate(stage, side, seconds);
      const requests = postRequests(TOKEN);
      return stage.load({ port: side.port, requests, connections: CONNECTIONS, seconds: seconds * 2, rate });
    };
    const { floor, ours } = await inTurn(turn, {
      floor: () => withSide(stage.floor(), paced),
      ours: () => withSide(stage.ours(place, 'api'), paced),
    });
    await place.drop();
    return {
      'requests/s': rate,
      'floor p50 ms': floor.p50,
      'floor p99 ms': floor.p99,
      'ours p50 ms': ours.p50,
      'ours p99 ms': ours.p99,
    };
  },
};

/** A refused request costs no more than an accepted one. */
export const refused: Row = {
  name: 'refused',
  title: 'POST /emails with an unknown field, and with an address that is none',
  short: true,
  ratios: [
    // How much more is refused than accepted is a matter of processor and disk: the same code gave 2.9 and 1.9.
    { what: 'unknown field / accepted', of: quotient('unknown field/s', 'accepted/s'), atLeast: 1, guard: 1 },
    { what: 'bad address / accepted', of: quotient('bad address/s', 'accepted/s'), atLeast: 1 },
  ],
  async round(stage, { seconds }, turn) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      const load = { port: side.port, connections: CONNECTIONS, seconds };
      const rate = async (change: object) =>
        (await stage.load({ ...load, requests: postRequests(TOKEN, 100, change) })).perSecond;
      await postRate(stage, side, Math.min(WARM_UP, seconds) / 2);
      return inTurn(turn, {
        'accepted/s': () => rate({}),
        'unknown field/s': () => rate({ replyTo: 'a@b.example' }),
        'bad address/s': () => rate({ to: ['nobody'] }),
      });
    });
    await place.drop();
    return figures;
  },
};
