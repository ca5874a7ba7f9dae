import { setTimeout as delay } from 'node:timers/promises';
import { postRequests } from '../support/message.js';
import { type Place, type Queue, type Side, type Stage, TOKEN } from '../support/stage.js';
import { refuseErrors, withSide } from './post.js';
import { quotient, type Row } from './row.js';

/** Emails that may wait while posting and delivering go on at once. */
const BACKLOG = 1_000;

/** Posts that many emails to an API without a worker. */
export async function preload(stage: Stage, api: Promise<Side>, count: number): Promise<void> {
  await withSide(api, async ({ port }) => {
    const { statuses } = await stage.load({ port, requests: postRequests(TOKEN), connections: 50, count });
    refuseErrors(statuses);
  });
}

/** Messages a second at the sink, from the first to the last. */
export async function deliveryRate(stage: Stage, workers: readonly Promise<Side>[], count: number): Promise<number> {
  try {
    return await stage.deliveryRate(count);
  } finally {
    for (const worker of workers) await (await worker).stop();
  }
}

export async function oursDelivers(stage: Stage, place: Place, count: number, workers = 1): Promise<number> {
  await preload(stage, stage.ours(place, 'api'), count);
  await stage.forgetTaken();
  return deliveryRate(
    stage,
    Array.from({ length: workers }, () => stage.ours(place, 'worker')),
    count,
  );
}

async function bookDelivers(stage: Stage, place: Place, count: number): Promise<number> {
  await preload(stage, stage.book(place, 'api'), count);
  await stage.forgetTaken();
  return deliveryRate(stage, [stage.book(place, 'worker')], count);
}

function delivery(queue: Queue, title: string, targets: boolean): Row {
  return {
    name: `delivery-${queue}`,
    title,
    short: targets,
    once: !targets,
    ratios: [
      { what: 'ours / book', of: quotient('ours/s', 'book/s'), ...(targets && { atLeast: 2 }) },
      { what: 'ours / nodemailer', of: quotient('ours/s', 'nodemailer/s'), ...(targets && { atLeast: 0.94 }) },
    ],
    async round(stage, { emails }) {
      await stage.forgetTaken();
      await stage.nodemailer(emails);
      const nodemailer = await stage.deliveryRate(emails);
      const place = await stage.place(queue);
      const book = await bookDelivers(stage, place, emails);
      const ours = await oursDelivers(stage, place, emails);
      await place.drop();
      return { 'nodemailer/s': nodemailer, 'book/s': book, 'ours/s': ours };
    },
  };
}

export const deliveryRedis = delivery('redis', 'Delivery to the sink, Redis queue', true);
export const deliveryPostgres = delivery('postgres', 'Delivery to the sink, PostgreSQL queue', false);

/** Posts as fast as no more than `BACKLOG` emails wait, so that the queue does not grow. */
async function sustained(stage: Stage, { port }: Side, seconds: number): Promise<number> {
  await stage.forgetTaken();
  const load = stage.load({
    port,
    requests: postRequests(TOKEN),
    connections: 50,
    seconds: seconds + 2,
    allowed: BACKLOG,
  });
  const warmUp = Date.now() + 2_000;
  const end = warmUp + seconds * 1_000;
  let before: number | undefined;
  let count = 0;
  while (Date.now() < end) {
    count = (await stage.taken()).count;
    stage.allow(count + BACKLOG);
    if (before === undefined && Date.now() >= warmUp) before = count;
    await delay(20);
  }
  const { statuses, sent } = await load;
  refuseErrors(statuses);
  await stage.deliveryRate(sent);
  return (count - (before ?? 0)) / seconds;
}

function together(queue: Queue, title: string, target?: number): Row {
  return {
    name: `together-${queue}`,
    title,
    once: true,
    ratios: [
      { what: 'ours / book', of: quotient('ours/s', 'book/s'), ...(target !== undefined && { atLeast: target }) },
    ],
    async round(stage, scale) {
      const place = await stage.place(queue);
      const book = await withSide(stage.book(place, 'all'), (side) => sustained(stage, side, scale.sustained));
      const ours = await withSide(stage.ours(place, 'all'), (side) => sustained(stage, side, scale.sustained));
      await place.drop();
      return { 'book/s': book, 'ours/s': ours };
    },
  };
}

export const togetherRedis = together('redis', 'Posting and delivering at once in one process, Redis queue', 2);
export const togetherPostgres = together('postgres', 'The same, PostgreSQL queue');

export const secondWorker: Row = {
  name: 'second-worker',
  once: true,
  title: 'Delivery by two worker processes, Redis queue',
  ratios: [{ what: 'two / one', of: quotient('two/s', 'one/s') }],
  async round(stage, { emails }) {
    const place = await stage.place('redis');
    const one = await oursDelivers(stage, place, emails);
    const two = await oursDelivers(stage, place, emails * 2, 2);
    await place.drop();
    return { 'one/s': one, 'two/s': two };
  },
};
