import { type Shape, shapedRequests } from '../support/message.js';
import { type Stage, TOKEN } from '../support/stage.js';
import { costFigures, whole } from './cost.js';
import { DELIVERY, type Delivered, delivered, preload } from './delivery.js';
import { type Guarded, inTurn, quotient, type Ratio, type Row, type Scale } from './row.js';

/** Milliseconds of a round trip. */
export const DELAYS = [0, 10, 40, 100] as const;
/** From this on the link is the bottleneck, not the machine. */
const LONG = 40;

interface Distance {
  /** Milliseconds of a round trip. */
  delay: number;
  shape: Shape;
  /** True if the server announces it. Default: true. */
  pipelining?: boolean;
  /** In relation to the others. Default: 1. */
  emails?: number;
}

function emailsOf({ delay, emails = 1 }: Distance, scale: Scale): number {
  return Math.ceil((delay < LONG ? scale.emails / 2 : scale.distant) * emails);
}

function oursDelivers(stage: Stage, distance: Distance, count: number, workers = 1): Promise<Delivered> {
  const { delay, shape, pipelining = true } = distance;
  return stage.over({ delay, pipelining }, async () => {
    const place = await stage.place('redis');
    await preload(stage, stage.ours(place, 'api'), count, shapedRequests(TOKEN, shape));
    const start = () => Array.from({ length: workers }, () => stage.ours(place, 'worker'));
    const result = await delivered(stage, start, count);
    await place.drop();
    return result;
  });
}

function nodemailerDelivers(stage: Stage, { delay, shape, pipelining = true }: Distance, count: number) {
  return stage.over({ delay, pipelining }, () => delivered(stage, () => [stage.nodemailer({ count, shape })], count));
}

function besideNodemailer(
  name: string,
  title: string,
  distance: Distance,
  more: Pick<Row, 'once' | 'short'> & Pick<Ratio, 'atLeast' | 'guard'>,
): Row {
  const { once, short, ...target } = more;
  return {
    name,
    title,
    ...(once && { once }),
    ...(short && { short }),
    ratios: [{ what: 'ours / nodemailer', of: quotient('ours/s', 'nodemailer/s'), ...target }],
    async round(stage, scale, turn) {
      const count = emailsOf(distance, scale);
      const { nodemailer, ours } = await inTurn(turn, {
        nodemailer: () => nodemailerDelivers(stage, distance, count),
        ours: () => oursDelivers(stage, distance, count),
      });
      return {
        'nodemailer/s': nodemailer.rate,
        'ours/s': ours.rate,
        'nodemailer CPU µs': nodemailer.cost.host,
        ...costFigures('ours CPU', ours.cost),
      };
    },
  };
}

const FAR: Guarded = { seconds: 9, about: [...DELIVERY, 'test/bench/rows/distance.ts'] };

const TARGETS: Readonly<Record<number, Pick<Ratio, 'atLeast'>>> = { 0: { atLeast: 0.94 }, 40: { atLeast: 1.5 } };

const rowsOf = (domains: 1 | 200) =>
  DELAYS.map((delay) =>
    besideNodemailer(
      distanceName(delay, domains),
      `Delivery ${delay === 0 ? 'on loopback' : `over a link of ${delay} ms`}, ${domains === 1 ? 'all to one domain' : `to ${domains} domains`}`,
      { delay, shape: { domains } },
      { ...TARGETS[delay], once: !(delay in TARGETS), ...(delay === 40 && domains === 1 && { short: FAR }) },
    ),
  );

export function distanceName(delay: number, domains: 1 | 200): string {
  return `distance-${delay}${domains === 1 ? '-one' : ''}`;
}

/** Two workers have twice the connections. */
const secondWorker: Row = {
  name: 'second-worker-distant',
  title: 'Delivery by two worker processes over a link of 40 ms, 20 connections each',
  ratios: [{ what: 'two / one', of: quotient('two/s', 'one/s'), atLeast: 1.8 }],
  async round(stage, scale, turn) {
    const distance = { delay: 40, shape: { domains: 200 } };
    const count = emailsOf(distance, scale);
    const { one, two } = await inTurn(turn, {
      one: () => oursDelivers(stage, distance, count),
      two: () => oursDelivers(stage, distance, count * 2, 2),
    });
    return { 'one/s': one.rate, 'two/s': two.rate, 'one CPU µs': whole(one.cost), 'two CPU µs': whole(two.cost) };
  },
};

/** A server at the other end of a link, with PIPELINING by default. */
export const distance: readonly Row[] = [
  ...rowsOf(200),
  ...rowsOf(1),
  besideNodemailer(
    'distance-40-plain',
    'Over 40 ms, to 200 domains, by a server without PIPELINING',
    { delay: 40, shape: { domains: 200 }, pipelining: false, emails: 1 / 2 },
    { once: true },
  ),
  besideNodemailer(
    'distance-40-ten',
    'Over 40 ms, to ten recipients each',
    { delay: 40, shape: { domains: 200, recipients: 10 } },
    { once: true },
  ),
  besideNodemailer(
    'distance-40-large',
    'Over 40 ms, 1 MB each',
    { delay: 40, shape: { domains: 10, large: true }, emails: 1 / 5 },
    { once: true },
  ),
  secondWorker,
];
