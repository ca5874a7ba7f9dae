import { fill } from '../support/fill.js';
import { postRequests } from '../support/message.js';
import { type Place, type Side, type Stage, TOKEN } from '../support/stage.js';
import { pageTime } from './listing.js';
import { type Posted, posted, together, warmUp, withSide, withSides } from './post.js';
import { type Figures, figure, inSlices, inTurn, quotient, type Row, SLICE } from './row.js';

/** Enough for numbers in their subjects to be rare words. */
const REQUESTS = 5_000;

const SIZE = `
SELECT pg_total_relation_size('nestjs_emails.email_terms')::float8 / (SELECT count(*) FROM nestjs_emails.emails) AS bytes`;

const bytesOf = async (place: Place) => (await place.query<{ bytes: number }>(SIZE))[0]?.bytes ?? Number.NaN;

/** The cost of an email's words, twelve of them, when it is accepted. */
export const searchCost: Row = {
  name: 'search-cost',
  title: 'POST /emails with the words of the email indexed and without, Redis queue',
  ratios: [
    { what: 'CPU of all processes, with / without', of: quotient('with CPU µs', 'without CPU µs'), atMost: 1.15 },
    { what: 'bytes of the words', of: figure('bytes'), atMost: 1_000 },
  ],
  async round(stage, { seconds }, turn) {
    const [place, wordless] = [await stage.place('redis'), await stage.place('redis')];
    const started = {
      without: stage.ours(wordless, 'api', { search: false }),
      with: stage.ours(place, 'api'),
    };
    const slices = await withSides(started, async (sides) => {
      const load = postLoad(stage);
      await inTurn(turn, {
        without: () => warmUp(stage, sides.without, seconds),
        with: () => warmUp(stage, sides.with, seconds),
      });
      return inSlices(turn, seconds, { without: () => load(sides.without), with: () => load(sides.with) });
    });
    const bytes = (await bytesOf(place)) - (await bytesOf(wordless));
    await place.drop();
    await wordless.drop();
    const [indexed, plain] = [
      together(slices.map((slice) => slice.with)),
      together(slices.map((slice) => slice.without)),
    ];
    return { 'without CPU µs': plain.all, 'with CPU µs': indexed.all, bytes };
  },
};

function postLoad(stage: Stage): (side: Side) => Promise<Posted> {
  const requests = postRequests(TOKEN, REQUESTS);
  return (side) => posted(stage, side, SLICE, undefined, requests);
}

/** By the share of emails with the words: all, one of 20,000, one, none. */
const SEARCHES: Readonly<Record<string, (rows: number) => string>> = {
  frequent: () => 'order',
  rare: () => 'hidden',
  'of one email': (rows) => String(Math.ceil(rows / 2)),
  'two frequent': () => 'order way',
  'frequent and rare': () => 'order hidden',
  'frequent and of one email': (rows) => `order customer${Math.ceil(rows / 2)}`,
  'eight words': () => 'your order is on its way shop example',
  'no match': () => 'nobody',
  'frequent and no match': () => 'order nobody',
};

export const search: Row = {
  name: 'search',
  title: 'GET /emails?limit=100 with `search`, and without contents',
  ratios: [...Object.keys(SEARCHES), 'summary'].map((name) => ({
    what: `${name} / none`,
    of: quotient(`${name} ms`, 'none ms'),
    atMost: 2,
  })),
  once: true,
  async round(stage, { rows }) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      await fill(place, rows);
      const times: Figures = { rows };
      const measure = async (name: string, query: string) => {
        await pageTime(stage, side, query);
        times[`${name} ms`] = await pageTime(stage, side, query);
      };
      await measure('none', '');
      await measure('summary', '&fields=summary');
      for (const [name, words] of Object.entries(SEARCHES)) {
        await measure(name, `&search=${encodeURIComponent(words(rows))}`);
      }
      return times;
    });
    await place.drop();
    return figures;
  },
};
