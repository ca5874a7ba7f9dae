import { fill, ODD, TOPIC } from '../support/fill.js';
import type { Place } from '../support/stage.js';
import { pageTime } from './listing.js';
import { withSide } from './post.js';
import { type Figures, quotient, type Ratio, type Row } from './row.js';

/** By the share of matching emails; `to` matches one, in the middle. */
const FILTERS: Readonly<Record<string, (place: Place, rows: number) => string | Promise<string>>> = {
  to: (_, rows) => `to=customer${Math.ceil(rows / 2)}@d.example`,
  cc: () => 'cc=Copy@D.example',
  bcc: () => 'bcc=hidden@d.example',
  from: () => 'from=orders@shop.example',
  'from, rare': () => 'from=news@other.example',
  'from, domain': () => 'from=@shop.example',
  tag: () => 'tag=kind',
  'tag, value': () => 'tag=kind:order',
  'tag, rare': () => 'tag=rare:yes',
  topic_id: () => `topic_id=${TOPIC}`,
  sent: () => 'last_event=sent',
  bounced: () => 'last_event=bounced',
  'several states': () => 'last_event=bounced,failed,sent',
  queued: () => 'last_event=queued',
  dates: async (place) => {
    const [row] = await place.query<{ time: Date }>('SELECT max(created_at) AS time FROM nestjs_emails.emails');
    const time = row?.time.getTime() ?? 0;
    return `start_date=${new Date(time - 86_400_000).toISOString()}&end_date=${new Date(time - 3_600_000).toISOString()}`;
  },
  message_id: async (place, rows) => {
    const [row] = await place.query<{ id: string }>(
      `UPDATE nestjs_emails.emails SET message_id = '<' || id || '@shop.example>' WHERE seq = $1 RETURNING message_id AS id`,
      [Math.ceil(rows / 2)],
    );
    return `message_id=${encodeURIComponent(row?.id ?? '')}`;
  },
};

/** One matches nearly all, the other few: combined, and combined without a match. */
const COMBINATIONS = {
  'frequent and rare': 'from=@shop.example&to=customer7@d.example',
  'nothing found': 'from=@shop.example&tag=rare&last_event=sent',
};

const ratio = (name: string): Ratio => ({ what: `${name} / none`, of: quotient(`${name} ms`, 'none ms'), atMost: 2 });

export const filters: Row = {
  name: 'filters',
  title: 'GET /emails?limit=100 with a filter',
  ratios: [...Object.keys(FILTERS), ...Object.keys(COMBINATIONS)].map(ratio),
  once: true,
  async round(stage, { rows }) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      await fill(place, rows);
      await place.query(
        `UPDATE nestjs_emails.deliveries SET last_event = 'queued', due_at = now() WHERE seq % ${ODD} = 2`,
      );
      const times: Figures = { rows };
      const measure = async (name: string, query: string) => {
        await pageTime(stage, side, query);
        times[`${name} ms`] = await pageTime(stage, side, query);
      };
      await measure('none', '');
      for (const [name, query] of Object.entries(FILTERS)) await measure(name, `&${await query(place, rows)}`);
      for (const [name, query] of Object.entries(COMBINATIONS)) await measure(name, `&${query}`);
      return times;
    });
    await place.drop();
    return figures;
  },
};
