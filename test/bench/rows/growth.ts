import { fill } from '../support/fill.js';
import type { Stage } from '../support/stage.js';
import { oursDelivers } from './delivery.js';
import { pageTime } from './listing.js';
import { plans } from './plans.js';
import { postRate, withSide } from './post.js';
import { type Figures, figure, type Row, type Scale } from './row.js';

/** The worst of one name's values over all sizes, in relation to the value with an empty table. */
const worst =
  (name: string, invert = false) =>
  (figures: Figures) => {
    const values = Object.entries(figures).filter(([key]) => key.startsWith(`${name} at `));
    const [first = Number.NaN, ...others] = values.map(([, value]) => value);
    return Math.min(...others.map((value) => (invert ? first / value : value / first)));
  };

/** POST, delivery and GET while more and more emails are stored, and the plans that PostgreSQL makes with all of them. */
export const growth: Row = {
  name: 'growth',
  title: 'With more and more emails stored',
  once: true,
  ratios: [
    { what: 'POST, full / empty', of: worst('POST/s'), atLeast: 0.9 },
    { what: 'delivery, full / empty', of: worst('delivery/s'), atLeast: 0.9 },
    { what: 'GET, empty / full (time)', of: worst('GET ms', true), atLeast: 0.9 },
    { what: 'sequential scans', of: figure('sequential scans'), atMost: 0 },
  ],
  async round(stage: Stage, { growth: sizes, seconds, emails }: Scale) {
    const place = await stage.place('redis');
    const figures: Figures = {};
    for (const size of sizes) {
      await withSide(stage.ours(place, 'api'), async (side) => {
        await fill(place, size);
        figures[`POST/s at ${size}`] = await postRate(stage, side, seconds);
        await pageTime(stage, side);
        figures[`GET ms at ${size}`] = await pageTime(stage, side);
      });
      await place.clearQueue();
      figures[`delivery/s at ${size}`] = await oursDelivers(stage, place, emails);
      process.stderr.write(`growth, ${size} stored: done\n`);
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
