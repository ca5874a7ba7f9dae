import type { Stage, Variant } from '../support/stage.js';
import { posted, together, warmUp, withSide } from './post.js';
import { inTurn, quotient, type Row } from './row.js';

/** A quota that no run reaches. */
const QUOTA = 999_999_999;

/** Each side alone: what it counts in the background must not be part of the other's time. */
async function postCost(stage: Stage, seconds: number, variant: Variant) {
  const place = await stage.place('redis');
  const result = await withSide(stage.ours(place, 'api', variant), async (side) => {
    await warmUp(stage, side, seconds);
    return together([await posted(stage, side, seconds)]);
  });
  await place.drop();
  return result;
}

/** The cost of counting recipients, once a second, when emails are accepted. */
export const quotaCost: Row = {
  name: 'quota-cost',
  title: 'POST /emails with quotas of a day and a month and without, Redis queue',
  short: {
    seconds: 22,
    about: [
      'libs/emails/src/emails/send/quotas/',
      'libs/emails/src/emails/storage/accept/',
      'test/bench/rows/quotas.ts',
    ],
  },
  ratios: [
    { what: 'with / without', of: quotient('with/s', 'without/s'), atLeast: 0.98, alone: true },
    {
      what: 'CPU of all processes, with / without',
      of: quotient('with CPU µs', 'without CPU µs'),
      atMost: 1.02,
      alone: true,
    },
  ],
  async round(stage, { seconds }, turn) {
    const { without, with: limited } = await inTurn(turn, {
      without: () => postCost(stage, seconds, {}),
      with: () => postCost(stage, seconds, { quota: QUOTA }),
    });
    return {
      'without/s': without.rate,
      'with/s': limited.rate,
      'without CPU µs': without.all,
      'with CPU µs': limited.all,
    };
  },
};
