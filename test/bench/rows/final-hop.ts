import { setTimeout as delay } from 'node:timers/promises';
import { shapedRequests, smallEmail } from '../support/message.js';
import { TOKEN } from '../support/stage.js';
import { costFigures, whole } from './cost.js';
import { bookDelivers, DELIVERY, delivered, preload } from './delivery.js';
import { withSide } from './post.js';
import { inTurn, quotient, type Row } from './row.js';

/** After which a host that has delivered a little is warm. Milliseconds. */
const WARM = 2_000;

/** To one domain, whose server the next hop is. */
const ONE_DOMAIN = { domains: 1 };

/** At a final hop a domain has up to ten slots. */
export const deliveryFinal: Row = {
  name: 'delivery-final-one',
  title: 'Delivery to the sink as the final hop, all to one domain, Redis queue',
  short: { seconds: 22, about: [...DELIVERY, 'test/bench/rows/final-hop.ts'] },
  ratios: [{ what: 'ours / book', of: quotient('ours/s', 'book/s'), atLeast: 1.5, guard: 1.2 }],
  async round(stage, scale, turn) {
    const emails = Math.ceil(scale.emails / 2);
    const place = await stage.place('redis');
    const requests = shapedRequests(TOKEN, ONE_DOMAIN);
    const { book, ours } = await inTurn(turn, {
      book: () => bookDelivers(stage, place, emails, requests),
      ours: async () => {
        await preload(stage, stage.ours(place, 'api'), emails, requests);
        return delivered(stage, () => [stage.ours(place, 'worker', { hop: 'final' })], emails);
      },
    });
    await place.drop();
    return {
      'book/s': book.rate,
      'ours/s': ours.rate,
      'book CPU µs': whole(book.cost),
      ...costFigures('ours CPU', ours.cost),
    };
  },
};

/** Domains that hang, emails to each of them, and to others, one each. Milliseconds. */
const HANGING = { domains: 3, each: 30, others: 30, hang: 40_000 };

/** From the acceptance of the emails to other domains until their delivery, the slowest of them. */
const SLOWEST = `
SELECT max(extract(epoch FROM ev.occurred_at - e.created_at) * 1000)::float8 AS slowest, count(*)::integer AS count
FROM nestjs_emails.events ev JOIN nestjs_emails.emails e ON e.id = ev.email_id
WHERE ev.type = 'delivered' AND ev.recipient LIKE 'other%'`;

export const hangingDomains: Row = {
  name: 'delivery-hangs',
  title:
    'p99 of 30 emails to 30 domains at a final hop, next to 90 to three domains that hang for 40 s and without, Redis queue',
  ratios: [{ what: 'hanging / without', of: quotient('hanging p99 ms', 'without p99 ms'), atMost: 2 }],
  async round(stage, _scale, turn) {
    const measured = (hang: number) =>
      stage.over({ delay: 0, pipelining: false, hang }, async () => {
        const place = await stage.place('redis');
        const slowest = await withSide(stage.ours(place, 'all', { hop: 'final' }), async ({ port }) => {
          const post = async (to: string) => {
            const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
            const body = JSON.stringify({ ...smallEmail(0), to });
            const { status } = await fetch(`http://127.0.0.1:${port}/emails`, { method: 'POST', headers, body });
            if (status !== 200) throw new Error(`POST /emails answers ${status}.`);
          };
          const { domains, each, others } = HANGING;
          await Promise.all(Array.from({ length: 100 }, (_, n) => post(`warm${n}@warm${n % 50}.example`)));
          await delay(WARM);
          const hanging = Array.from({ length: domains * each }, (_, n) => `to${n}@hangs${n % domains}.example`);
          const rest = Array.from({ length: others }, (_, n) => `other${n}@other${n}.example`);
          await Promise.all([...hanging, ...rest].map(post));
          for (;;) {
            const [row] = await place.query<{ slowest: number; count: number }>(SLOWEST);
            if (row?.count === others) return row.slowest;
            await delay(100);
          }
        });
        await place.drop();
        return slowest;
      });
    const { without, hanging } = await inTurn(turn, {
      without: () => measured(0),
      hanging: () => measured(HANGING.hang),
    });
    return { 'without p99 ms': without, 'hanging p99 ms': hanging };
  },
};
