import { reasonText } from 'nestjs-emails';
import { eventually, type WaitOptions } from '../basics/wait-for.js';
import type { RunningHost } from '../hosts/running-host.js';

export interface StoredEvent {
  type: string;
  recipient: string | null;
  reason: string | null;
}

export interface StoredAttempt {
  fence: number;
  /** Null while it runs. */
  finished_at: Date | null;
  unknown: boolean;
  outcomes: { address: string; outcome: string; reply: { code?: number; text: string } }[] | null;
}

interface ListedEmail {
  id: string;
  message_id: string;
  last_event: string;
  created_at: string;
}

/**
 * Posts a small valid email to `to`, with overridden fields, and returns its id. Any other answer than 200 is an error.
 */
export async function post(
  host: RunningHost,
  to: string | readonly string[],
  fields: Record<string, unknown> = {},
): Promise<string> {
  const body = { from: 'Sender <sender@from.test>', to, subject: 'Hello', text: 'Hello there', ...fields };
  const { status, text, body: answer } = await host.request<{ id: string }>('POST', '/emails', { body });
  if (status !== 200) throw new Error(`POST /emails answers ${status}: ${text}`);
  return answer.id;
}

/** The name of the host's first queue in its backend. */
export async function queueNameOf(host: RunningHost): Promise<string> {
  const [row] = await host.query<{ id: string }>('SELECT id FROM nestjs_emails.identity');
  return `{emails-${row?.id}}`;
}

/** The email as `GET /emails` shows it among the newest 100. */
export async function listed(host: RunningHost, id: string): Promise<ListedEmail> {
  const { body, text } = await host.request<{ data?: ListedEmail[] }>('GET', '/emails?limit=100');
  const found = body.data?.find((email) => email.id === id);
  if (!found) throw new Error(`GET /emails does not show ${id}: ${text.slice(0, 500)}`);
  return found;
}

/** Waits until `GET /emails` shows the email with this `last_event`. */
export function untilShown(
  host: RunningHost,
  id: string,
  lastEvent: string,
  options?: WaitOptions,
): Promise<ListedEmail> {
  return eventually(async () => {
    const email = await listed(host, id);
    if (email.last_event === lastEvent) return email;
    throw new Error(`${id} is ${email.last_event}, not ${lastEvent}. The host said:\n${host.output.slice(-2_000)}`);
  }, options);
}

/** The events of an email in order of recording, each with its shown reason. */
export async function eventsOf(host: RunningHost, id: string): Promise<StoredEvent[]> {
  const events = await host.query<StoredEvent & { code: string | null }>(
    'SELECT type, recipient, reason, reason_code AS code FROM nestjs_emails.events WHERE email_id = $1 ORDER BY id',
    [id],
  );
  return events.map(({ code, reason, ...event }) => ({ ...event, reason: reasonText(code, reason) }));
}

/** The types of an email's events, those of one recipient only if one is named. */
export async function eventTypes(host: RunningHost, id: string, recipient?: string): Promise<string[]> {
  const events = await eventsOf(host, id);
  return events.filter((event) => !recipient || event.recipient === recipient).map(({ type }) => type);
}

/** The attempts made for an email, first one first. */
export function attemptsOf(host: RunningHost, id: string): Promise<StoredAttempt[]> {
  return host.query<StoredAttempt>(
    'SELECT fence, finished_at, unknown, outcomes FROM nestjs_emails.attempts WHERE email_id = $1 ORDER BY fence, message',
    [id],
  );
}

/** Waits until nothing is pending for any of these emails. The error contains the state of each pending one. */
export async function untilSettled(host: RunningHost, ids: readonly string[], options?: WaitOptions): Promise<void> {
  await eventually(async () => {
    const pending = await host.query(
      `SELECT email_id, last_event, fence, attempts, (due_at - clock_timestamp())::text AS due_in, waits_for
         FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND due_at IS NOT NULL LIMIT 10`,
      [ids],
    );
    if (pending.length > 0) throw new Error(`Of ${ids.length} emails are pending: ${JSON.stringify(pending)}`);
  }, options);
}
