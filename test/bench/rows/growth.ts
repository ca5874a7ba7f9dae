import { median } from '../load/timings.js';
import { fill } from '../support/fill.js';
import type { Place, Stage } from '../support/stage.js';
import { oursDelivers } from './delivery.js';
import { pageTime } from './listing.js';
import { plans } from './plans.js';
import { postRate, withSide } from './post.js';
import { type Figures, figure, inTurn, type Row, type Scale } from './row.js';

const KINDS = ['POST', 'delivery', 'GET'] as const;
/** Rounds for each size, next to an empty database. */
const TURNS = 3;

/** Emails accepted, emails delivered and pages read, a second. */
type Speeds = Record<(typeof KINDS)[number], number>;

async function speeds(stage: Stage, place: Place, { seconds, emails }: Scale): Promise<Speeds> {
  const api = await withSide(stage.ours(place, 'api'), async (side) => {
    const POST = await postRate(stage, side, seconds / 2);
    await pageTime(stage, side);
    return { POST, GET: 1_000 / (await pageTime(stage, side)) };
  });
  await place.clearQueue();
  return { ...api, delivery: (await oursDelivers(stage, place, Math.ceil(emails / 2))).rate };
}

async function besideEmpty(stage: Stage, full: Place, scale: Scale, turn: number): Promise<Speeds> {
  const empty = await stage.place('redis');
  const { without, within } = await inTurn(turn, {
    without: () => speeds(stage, empty, scale),
    within: () => speeds(stage, full, scale),
  });
  await empty.drop();
  return Object.fromEntries(KINDS.map((kind) => [kind, within[kind] / without[kind]])) as Speeds;
}

const worst = (kind: string) => (figures: Figures) =>
  Math.min(...Object.entries(figures).flatMap(([name, value]) => (name.startsWith(`${kind} at `) ? [value] : [])));

/**
 * Speeds in relation to those with an empty database, which are measured in turn with them, while more and more emails
 * are stored. Also PostgreSQL's plans with all of them.
 */
export const growth: Row = {
  name: 'growth',
  title: 'With more and more emails stored, in relation to none',
  once: true,
  ratios: [
    ...KINDS.map((kind) => ({ what: `${kind}, full / empty`, of: worst(kind), atLeast: 0.9 })),
    { what: 'sequential scans', of: figure('sequential scans'), atMost: 0 },
  ],
  async round(stage, scale) {
    const place = await stage.place('redis');
    // Creates the account of the emails.
    await withSide(stage.ours(place, 'api'), async () => {});
    const figures: Figures = {};
    for (const size of scale.growth) {
      await fill(place, size);
      const turns: Speeds[] = [];
      while (turns.length < TURNS) turns.push(await besideEmpty(stage, place, scale, turns.length));
      for (const kind of KINDS) figures[`${kind} at ${size}`] = median(turns.map((turn) => turn[kind]));
      process.stderr.write(`growth, ${size} stored: ${JSON.stringify(turns)}\n`);
    }
    await place.query('VACUUM ANALYZE');
    const found = await plans(place);
    figures.statements = found.size;
    figures['sequential scans'] = [...found.values()].flat().length;
    for (const [name, scans] of found) for (const scan of scans) process.stderr.write(`${name}: ${scan}\n`);
    await place.drop();
    return figures;
  },
};
