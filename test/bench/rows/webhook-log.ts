import { call, type Place, type Side, type Stage } from '../support/stage.js';
import { readTime } from './listing.js';
import { withSide } from './post.js';
import { type Figures, quotient, type Row } from './row.js';

const EVENTS = 100_000;
/** Enough for a full page, and for statistics of as many events as with more. */
const FEW = 1_000;
/** One of this many failed. */
const FAILED = 50;

/** $1: webhook, $2 and $3: numbers of the first and the last event. Each was tried once. */
const MAKE_EVENTS = `
WITH made AS (
  INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body)
  SELECT w.account_id, 'msg_' || lpad(n::text, 27, '0'), '{}'
  FROM nestjs_emails.webhooks w, generate_series($2::integer, $3::integer) AS n WHERE w.id = $1
  RETURNING id, account_id, event_id
),
logged AS (
  INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id, status, attempts, due_at)
  SELECT $1::uuid, account_id, event_id, 'email.sent', now(), id,
    CASE WHEN id % ${FAILED} = 0 THEN 'failed' ELSE 'success' END, 1, NULL
  FROM made ORDER BY id RETURNING webhook_id, seq
)
INSERT INTO nestjs_emails.webhook_attempts (webhook_id, event_seq, attempt_id, http_status_code, response, sent_at)
SELECT webhook_id, seq, 'atmpt_' || seq, 200, '', now() FROM logged`;

const READS: Readonly<Record<string, (webhook: string) => string>> = {
  statistics: () => '/webhooks/statistics',
  list: (webhook) => `/webhooks/${webhook}/events?limit=100`,
};

async function times(stage: Stage, side: Side, webhook: string, name: string): Promise<Figures> {
  const figures: Figures = {};
  for (const [read, pathOf] of Object.entries(READS)) {
    await readTime(stage, side, pathOf(webhook));
    figures[`${read}, ${name} ms`] = await readTime(stage, side, pathOf(webhook));
  }
  return figures;
}

async function grow(place: Place, webhook: string, from: number, to: number): Promise<void> {
  await place.query(MAKE_EVENTS, [webhook, from + 1, to]);
  await place.query('VACUUM ANALYZE');
}

export const webhookLog: Row = {
  name: 'webhooks-log',
  title: 'The log of a webhook and the statistics, with 100,000 events and with 1,000',
  once: true,
  ratios: Object.keys(READS).map((read) => ({
    what: `${read}, many / few`,
    of: quotient(`${read}, many ms`, `${read}, few ms`),
    atMost: 1.2,
  })),
  async round(stage) {
    const place = await stage.place('redis');
    const figures = await withSide(stage.ours(place, 'api'), async (side) => {
      const asked = { endpoint: 'http://127.0.0.1:1024/log', events: ['email.sent'] };
      const { id } = await call<{ id: string }>(side, 'POST', '/webhooks', asked);
      await grow(place, id, 0, FEW);
      const few = await times(stage, side, id, 'few');
      await grow(place, id, FEW, EVENTS);
      return { ...few, ...(await times(stage, side, id, 'many')) };
    });
    await place.drop();
    return figures;
  },
};
