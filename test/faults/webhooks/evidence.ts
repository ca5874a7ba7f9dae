import { rowOf } from '../world/draft.js';
import type { World } from '../world/world.js';
import { type Endpoint, type Endpoints, TYPES } from './endpoints.js';
import type { Receipt } from './receiver.js';

/** An event of an email, as PostgreSQL recorded it. */
export interface RecordedEvent {
  type: string;
  email: string;
  /** The row of its email. */
  row: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Log entry of an event at an endpoint. */
export interface Logged {
  endpoint: string;
  id: string;
  status: string;
  due: boolean;
  /** Status codes of the attempts whose end was recorded; 0: no answer. */
  codes: number[];
}

/** A request that the receiver read, and its answer. Undefined: it never answered. */
export interface Request extends Receipt {
  answer: number | string | undefined;
  answeredAt: number;
}

/** Expected events, received events, and their records. */
export interface WebhookEvidence {
  endpoints: readonly Endpoint[];
  events: RecordedEvent[];
  /** In order of arrival. */
  requests: Request[];
  logged: Logged[];
  disabled: string[];
  blows: readonly number[];
}

const EVENTS = `
SELECT 'email.' || type AS type, email_id AS email, extract(epoch FROM occurred_at)::float8 * 1000 AS at
FROM nestjs_emails.events WHERE 'email.' || type = ANY ($1) ORDER BY id`;
const LOGGED = `
SELECT e.webhook_id AS endpoint, e.event_id AS id, e.status, e.due_at IS NOT NULL AS due,
  (SELECT coalesce(json_agg(a.http_status_code ORDER BY a.id), '[]') FROM nestjs_emails.webhook_attempts a
   WHERE a.webhook_id = e.webhook_id AND a.event_seq = e.seq) AS codes
FROM nestjs_emails.webhook_events e`;
const DISABLED = `SELECT id FROM nestjs_emails.webhooks WHERE status <> 'enabled'`;

export async function collectWebhooks(world: World, endpoints: Endpoints): Promise<WebhookEvidence> {
  const { pool } = world;
  const { rows: events } = await pool.query<Omit<RecordedEvent, 'row'>>(EVENTS, [TYPES]);
  const { rows: logged } = await pool.query<Logged>(LOGGED);
  const { rows: disabled } = await pool.query<{ id: string }>(DISABLED);
  const names = new Map(endpoints.all.map(({ id, name }) => [id, name]));
  return {
    endpoints: endpoints.all,
    events: events.map((event) => ({ ...event, row: rowOf(world.tagOf(event.email)) })),
    requests: requestsOf(endpoints),
    logged: logged.map((one) => ({ ...one, endpoint: names.get(one.endpoint) ?? one.endpoint })),
    disabled: disabled.map(({ id }) => names.get(id) ?? id),
    blows: endpoints.blows,
  };
}

function requestsOf({ ledger }: Endpoints): Request[] {
  const requests = new Map<number, Request>();
  for (const entry of ledger.read()) {
    if (entry.kind === 'request') requests.set(entry.number, { ...entry, answer: undefined, answeredAt: 0 });
    else Object.assign(requests.get(entry.number) ?? {}, { answer: entry.answer, answeredAt: entry.at });
  }
  return [...requests.values()];
}
