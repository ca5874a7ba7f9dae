import type { HttpExchange } from '../wire/http-tap.js';
import type { PostgresExchange } from '../wire/postgres-tap.js';
import type { RedisExchange } from '../wire/redis-tap.js';
import { tagOf } from './draft.js';

type Matches = (exchange: PostgresExchange) => boolean;

/** Statements of the product on the wire. A run without one of them fails, because its row has no hits. */
export const isAccept: Matches = ({ sql }) => sql.includes('INSERT INTO nestjs_emails.emails');
/** Those of a whole answer. */
export const isAcceptOfBatch: Matches = (exchange) =>
  isAccept(exchange) && exchange.sql.includes('INSERT INTO nestjs_emails.idempotent_answers');
export const isLease: Matches = ({ sql }) => /nestjs_emails\.deliveries[\s\S]*SET fence = fence \+ 1/.test(sql);
export const isClose: Matches = ({ sql }) =>
  /UPDATE nestjs_emails\.attempts[\s\S]*SET finished_at[^,]*, outcomes/.test(sql);
/** The outcome of one of several messages of an email, while its lease goes on. */
export const isNote: Matches = ({ sql }) => /UPDATE nestjs_emails\.attempts a SET outcomes = open\.outcomes/.test(sql);
export const isOverdue: Matches = ({ sql }) => /FROM nestjs_emails\.deliveries[\s\S]*ORDER BY due_at LIMIT/.test(sql);
/** An email of an action on many is counted, in the transaction that changes it. */
export const isCounted: Matches = ({ sql }) => /nestjs_emails\.email_actions SET place = place \+ 1/.test(sql);
/** A reported outcome of a recipient, in the transaction of its event. */
export const isReported: Matches = ({ sql }) => /INSERT INTO nestjs_emails\.events \([^)]*bounce, source\)/.test(sql);
export const isCommit: Matches = ({ sql }) => sql === 'COMMIT';
/** Webhooks: events leave the outbox; an endpoint gets a worker; attempts get their ends. */
export const isHandedOver: Matches = ({ sql }) => /DELETE FROM nestjs_emails\.event_outbox/.test(sql);
export const isServed: Matches = ({ sql }) => /nestjs_emails\.webhooks w SET leased_until[^,]*, fence/.test(sql);
export const isAttempted: Matches = ({ sql }) => /INSERT INTO nestjs_emails\.webhook_attempts/.test(sql);
const isEnqueue: Matches = ({ sql }) => sql.includes('add_jobs_bulk');

/** The emails that an accept statement writes. */
export function acceptedEmails({ params }: PostgresExchange): { id: string; tag: string }[] {
  const emails = JSON.parse(params[0] ?? '[]') as {
    id: string;
    subject: string;
    idempotency: { key: string } | null;
  }[];
  return emails.map(({ id, subject, idempotency }) => ({ id, tag: idempotency?.key ?? tagOf(subject) }));
}

/** Whether any of its parameters, or of its rows, names one of these. */
export function names(ids: ReadonlySet<string>): Matches {
  return ({ params, rows }) => [...params, ...rows.flat()].some((value) => value !== null && has(value, ids));
}

/** True if it gives the queue a hint about one of these. */
export function enqueues(ids: ReadonlySet<string>): (exchange: PostgresExchange | RedisExchange) => boolean {
  return (exchange) =>
    'sql' in exchange
      ? isEnqueue(exchange) && names(ids)(exchange)
      : /^evalsha|^eval$/i.test(exchange.parts[0] ?? '') && exchange.parts.some((part) => has(part, ids));
}

export function isRequestFor(tag: string): (exchange: HttpExchange) => boolean {
  return ({ request }) => request.includes(`idempotency-key: ${tag}\r\n`);
}

function has(text: string, ids: ReadonlySet<string>): boolean {
  for (const id of ids) if (text.includes(id)) return true;
  return false;
}
