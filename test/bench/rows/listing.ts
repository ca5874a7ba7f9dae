import { fill } from '../support/fill.js';
import { getRequest } from '../support/message.js';
import { type Place, type Side, type Stage, TOKEN } from '../support/stage.js';
import { refuseErrors, withSide } from './post.js';
import { quotient, type Row } from './row.js';

const DEPTHS = [0.1, 0.5, 0.99] as const;

/** Milliseconds of one page of emails, the median of many, one after the other. */
export function pageTime(stage: Stage, side: Side, query = ''): Promise<number> {
  return readTime(stage, side, `/emails?limit=100${query}`);
}

/** The same of any request that reads. */
export async function readTime(stage: Stage, { port }: Side, path: string, token = TOKEN): Promise<number> {
  const { p50, statuses } = await stage.load({
    port,
    requests: [getRequest(token, path)],
    connections: 1,
    count: 150,
    seconds: 20,
  });
  refuseErrors(statuses);
  return p50;
}

export async function idAtDepth(place: Place, depth: number): Promise<string> {
  const [row] = await place.query<{ id: string }>(
    `SELECT id FROM nestjs_emails.emails
     WHERE seq >= (SELECT (max(seq) * (1 - $1::float8))::bigint FROM nestjs_emails.emails) ORDER BY seq LIMIT 1`,
    [depth],
  );
  return row?.id ?? '';
}

export const pages: Row = {
  name: 'pages',
  title: 'GET /emails?limit=100 at any depth',
  ratios: DEPTHS.map((depth) => ({
    what: `at ${depth * 100} % / first page`,
    of: quotient(`at ${depth * 100} % ms`, 'first ms'),
    atMost: 1.2,
  })),
  once: true,
  async round(stage, { rows }) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      await fill(place, rows);
      await pageTime(stage, side);
      const times: Record<string, number> = { rows, 'first ms': await pageTime(stage, side) };
      for (const depth of DEPTHS) {
        const after = `&after=${await idAtDepth(place, depth)}`;
        await pageTime(stage, side, after);
        times[`at ${depth * 100} % ms`] = await pageTime(stage, side, after);
      }
      return times;
    });
    await place.drop();
    return figures;
  },
};
