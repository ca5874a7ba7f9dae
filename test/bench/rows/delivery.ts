import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { postRequests } from '../support/message.js';
import { type Place, type Queue, type Side, type Stage, TOKEN, type Variant, type Worker } from '../support/stage.js';
import { type Cost, costFigures, meter, whole } from './cost.js';
import { refuseErrors, withSide } from './post.js';
import { inTurn, quotient, type Ratio, type Row } from './row.js';

/** Emails that may wait while posting and delivering go on at once. */
const BACKLOG = 1_000;
/** The share of the emails after which a worker is warm, with all its connections open. */
const WARM_UP = 0.2;
/** Warm-up of a host that posts and delivers at once. Milliseconds. */
const WARM = 2_000;

/** Code of every delivery. */
export const DELIVERY = [
  'libs/emails/src/emails/deliver/',
  'libs/emails/src/emails/message/',
  'libs/emails/src/emails/queue/',
  'libs/emails/src/emails/storage/',
  'libs/emails/src/emails/transports/',
  'libs/emails/src/shared/work/',
  'test/bench/rows/delivery.ts',
];

export interface Delivered {
  /** Messages a second at the sink. */
  rate: number;
  cost: Cost;
}

/** Posts this many emails to an API without a worker. */
export async function preload(
  stage: Stage,
  api: Promise<Side>,
  count: number,
  requests: readonly string[] = postRequests(TOKEN),
  connections = 50,
): Promise<void> {
  await withSide(api, async ({ port }) => {
    const { statuses } = await stage.load({ port, requests, connections, count });
    refuseErrors(statuses);
  });
}

/**
 * Deliveries of workers, and their cost, until `count` messages were accepted; then the workers stop.
 *
 * @param whenWarm called when the measurement begins
 */
export async function delivered(
  stage: Stage,
  start: () => Promise<Worker>[],
  count: number,
  whenWarm: (workers: readonly Worker[]) => void = () => {},
): Promise<Delivered> {
  await stage.forgetTaken();
  const workers = await Promise.all(start());
  try {
    await stage.untilTaken(count * WARM_UP);
    whenWarm(workers);
    const cost = await meter(stage, workers);
    const first = await stage.taken();
    const last = await stage.untilTaken(count);
    return {
      rate: ((last.count - first.count) / (last.last - first.last)) * 1_000,
      cost: await cost(last.count - first.count),
    };
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

export async function oursDelivers(
  stage: Stage,
  place: Place,
  count: number,
  workers = 1,
  variant: Variant = {},
): Promise<Delivered> {
  await preload(stage, stage.ours(place, 'api', variant), count);
  return delivered(stage, () => Array.from({ length: workers }, () => stage.ours(place, 'worker', variant)), count);
}

export async function bookDelivers(
  stage: Stage,
  place: Place,
  count: number,
  requests?: readonly string[],
): Promise<Delivered> {
  await preload(stage, stage.book(place, 'api'), count, requests);
  return delivered(stage, () => [stage.book(place, 'worker')], count);
}

function delivery(queue: Queue, title: string, of: { book?: number; nodemailer: number; emails: number }): Row {
  return {
    name: `delivery-${queue}`,
    title,
    ...(queue === 'redis' && { short: { seconds: 24, about: DELIVERY } }),
    ratios: [
      { what: 'ours / book', of: quotient('ours/s', 'book/s'), ...(of.book !== undefined && { atLeast: of.book }) },
      { what: 'ours / nodemailer', of: quotient('ours/s', 'nodemailer/s'), atLeast: of.nodemailer },
    ],
    async round(stage, scale, turn) {
      const emails = Math.ceil(scale.emails * of.emails);
      const place = await stage.place(queue);
      const { nodemailer, book, ours } = await inTurn(turn, {
        nodemailer: () => delivered(stage, () => [stage.nodemailer({ count: emails })], emails),
        book: () => bookDelivers(stage, place, emails),
        ours: () => oursDelivers(stage, place, emails),
      });
      await place.drop();
      return {
        'nodemailer/s': nodemailer.rate,
        'book/s': book.rate,
        'ours/s': ours.rate,
        'nodemailer CPU µs': nodemailer.cost.host,
        'book CPU µs': whole(book.cost),
        ...costFigures('ours CPU', ours.cost),
      };
    },
  };
}

export const deliveryRedis = delivery('redis', 'Delivery to the sink, Redis queue', {
  book: 2,
  nodemailer: 0.94,
  emails: 1,
});
export const deliveryPostgres = delivery('postgres', 'Delivery to the sink, PostgreSQL queue', {
  nodemailer: 0.85,
  // The book takes its time.
  emails: 0.5,
});

/** A backup reads for hours, during which PostgreSQL cannot remove dead rows. */
export const deliverySnapshot: Row = {
  name: 'delivery-snapshot',
  title: 'Delivery while somebody holds a snapshot from before the first email, and without, Redis queue',
  ratios: [{ what: 'with / without', of: quotient('with/s', 'without/s'), atLeast: 0.95 }],
  async round(stage, { emails }, turn) {
    const measured = async (isHeld: boolean) => {
      const place = await stage.place('redis');
      const holder = new pg.Client({ connectionString: place.databaseUrl });
      await holder.connect();
      if (isHeld) await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM nestjs_emails.deliveries');
      const result = await oursDelivers(stage, place, emails * 2);
      await holder.end();
      await place.drop();
      return result;
    };
    const { without, with: held } = await inTurn(turn, { without: () => measured(false), with: () => measured(true) });
    return {
      'without/s': without.rate,
      'with/s': held.rate,
      ...costFigures('without CPU', without.cost),
      ...costFigures('with CPU', held.cost),
    };
  },
};

/** Posts as fast as no more than `BACKLOG` emails wait, so that the queue does not grow. */
async function sustained(stage: Stage, side: Side, seconds: number): Promise<Delivered> {
  await stage.forgetTaken();
  const load = stage.load({
    port: side.port,
    requests: postRequests(TOKEN),
    connections: 50,
    seconds: seconds + WARM / 1_000,
    allowed: BACKLOG,
  });
  const allowUntil = async (time: number) => {
    for (;;) {
      const { count } = await stage.taken();
      stage.allow(count + BACKLOG);
      if (Date.now() >= time) return count;
      await delay(20);
    }
  };
  const warm = Date.now() + WARM;
  const before = await allowUntil(warm);
  const cost = await meter(stage, [side]);
  const count = (await allowUntil(warm + seconds * 1_000)) - before;
  const { statuses, sent } = await load;
  refuseErrors(statuses);
  await stage.untilTaken(sent);
  return { rate: count / seconds, cost: await cost(sent - before) };
}

async function oursTogether(stage: Stage, queue: Queue, seconds: number): Promise<Delivered> {
  const place = await stage.place(queue);
  const result = await withSide(stage.ours(place, 'all'), (side) => sustained(stage, side, seconds));
  await place.drop();
  return result;
}

async function bookTogether(stage: Stage, queue: Queue, seconds: number): Promise<Delivered> {
  const place = await stage.place(queue);
  const result = await withSide(stage.book(place, 'all'), (side) => sustained(stage, side, seconds));
  await place.drop();
  return result;
}

const OURS_TO_BOOK: Ratio = { what: 'ours / book', of: quotient('ours/s', 'book/s') };

export const togetherRedis: Row = {
  name: 'together-redis',
  title: 'Posting and delivering at once in one process, Redis queue',
  ratios: [{ ...OURS_TO_BOOK, atLeast: 2 }],
  async round(stage, scale, turn) {
    const { book, ours } = await inTurn(turn, {
      book: () => bookTogether(stage, 'redis', scale.sustained),
      ours: () => oursTogether(stage, 'redis', scale.sustained),
    });
    return {
      'book/s': book.rate,
      'ours/s': ours.rate,
      'book CPU µs': whole(book.cost),
      ...costFigures('ours CPU', ours.cost),
    };
  },
};

export const togetherPostgres: Row = {
  name: 'together-postgres',
  title: 'The same, PostgreSQL queue',
  ratios: [OURS_TO_BOOK, { what: 'ours / ours on Redis', of: quotient('ours/s', 'ours on Redis/s'), atLeast: 0.8 }],
  async round(stage, scale, turn) {
    const { book, ours, redis } = await inTurn(turn, {
      book: () => bookTogether(stage, 'postgres', scale.sustained),
      redis: () => oursTogether(stage, 'redis', scale.sustained),
      ours: () => oursTogether(stage, 'postgres', scale.sustained),
    });
    return {
      'book/s': book.rate,
      'ours/s': ours.rate,
      'ours on Redis/s': redis.rate,
      'book CPU µs': whole(book.cost),
      ...costFigures('ours CPU', ours.cost),
      'ours on Redis CPU µs': whole(redis.cost),
    };
  },
};

export const secondWorker: Row = {
  name: 'second-worker',
  title: 'Delivery by two worker processes, Redis queue',
  once: true,
  ratios: [{ what: 'two / one', of: quotient('two/s', 'one/s') }],
  async round(stage, { emails }, turn) {
    const place = await stage.place('redis');
    const { one, two } = await inTurn(turn, {
      one: () => oursDelivers(stage, place, emails),
      two: () => oursDelivers(stage, place, emails * 2, 2),
    });
    await place.drop();
    return { 'one/s': one.rate, 'two/s': two.rate, 'one CPU µs': whole(one.cost), 'two CPU µs': whole(two.cost) };
  },
};
