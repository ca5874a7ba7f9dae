import { createHash } from 'node:crypto';
import type { SubscribedEmail, SubscribedEmailEvent, SubscribedEvent, SuppressionReason } from '../../index.js';
import { WEBHOOK_LIMITS } from '../limits.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** The message of an event, with its id and type. */
export interface WebhookMessage {
  /** `msg_` and 27 letters and digits: the same for every endpoint and every attempt. */
  id: string;
  /** `email.delivered`, `contact.created`. */
  type: string;
  createdAt: Date;
  body: string;
  /** The email that it is about; null: none. */
  emailId: string | null;
  /** The only recipient that it names; null: none, or several. */
  recipient: string | null;
  /** Mailboxes and addresses in the body. */
  people: readonly string[];
}

/** The message of an event (contract, section 8). */
export function messageOf(event: SubscribedEvent): WebhookMessage {
  const { createdAt } = event;
  const isEmail = 'email' in event;
  const type = isEmail ? `email.${event.type}` : event.type;
  const data = isEmail ? emailData(event) : event.data;
  const subject = isEmail ? event.emailId : event.data.id;
  return {
    id: `msg_${digest([event.id, subject, createdAt.toISOString()].join(' '))}`,
    type,
    createdAt,
    body: bodyOf({ type, created_at: createdAt.toISOString(), data }),
    emailId: isEmail ? event.emailId : null,
    recipient: recipientIn(data),
    people: isEmail ? peopleOf(event) : [event.data.email].filter((email) => typeof email === 'string'),
  };
}

/** The only recipient that a payload names; null: none, or several. @param data its `data` */
export function recipientIn({ email, to }: Readonly<Record<string, unknown>>): string | null {
  const [only = email, ...others] = Array.isArray(to) ? to : [];
  return typeof only === 'string' && others.length === 0 ? only : null;
}

/** A random id of an attempt: `atmpt_` and 27 letters and digits. */
export function attemptId(bytes: Buffer): string {
  return `atmpt_${lettersOf(bytes)}`;
}

function digest(text: string): string {
  return lettersOf(createHash('sha256').update(text).digest());
}

function lettersOf(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let letters = '';
  for (let index = 0; index < ID_LENGTH; index++) {
    letters += ALPHABET[Number(number % 62n)];
    number /= 62n;
  }
  return letters;
}

function emailData(event: SubscribedEmailEvent): Record<string, unknown> {
  const { email, emailId, recipient } = event;
  const { createdAt, messageId, from, to, subject, tags, headers } = email;
  const isTruncated = sizeOf(headers) > WEBHOOK_LIMITS.headers.max;
  return {
    created_at: createdAt.toISOString(),
    email_id: emailId,
    ...(headers.length > 0 && !isTruncated && { headers: headers.map(([name, value]) => ({ name, value })) }),
    message_id: messageId,
    from,
    to: recipient === undefined ? to : [recipient],
    subject,
    ...detailOf(event),
    tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])),
    ...(isTruncated && { truncated: true }),
  };
}

function sizeOf(headers: SubscribedEmail['headers']): number {
  return headers.reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
}

function detailOf({ type, reason = '', reasonCode, bounce }: SubscribedEmailEvent): object {
  switch (type) {
    case 'bounced': {
      const { subType = 'Undetermined', type: kind = 'Undetermined' } = bounce ?? {};
      return { bounce: { diagnosticCode: diagnosticCodeOf(reason), message: reason, subType, type: kind } };
    }
    case 'suppressed':
      return {
        suppressed: {
          diagnosticCode: diagnosticCodeOf(reason),
          message: reason,
          reason: isSuppressionReason(reasonCode) ? reasonCode : 'manual',
          type: 'OnAccountSuppressionList',
        },
      };
    case 'failed':
      return { failed: { reason: reasonCode ?? 'delivery_failed' } };
    default:
      return {};
  }
}

function isSuppressionReason(code: string | undefined): code is SuppressionReason {
  return code === 'previous_bounce' || code === 'previous_complaint' || code === 'manual';
}

/** A reason that is a server's reply. */
function diagnosticCodeOf(reason: string): string[] {
  return /^\d{3}\b/.test(reason) ? [`smtp; ${reason}`] : [];
}

function peopleOf({ email, recipient }: SubscribedEmailEvent): string[] {
  return [email.from, ...(recipient === undefined ? email.to : [recipient])];
}

/** Above the limit, omits first the headers, then recipients. */
function bodyOf({ data, ...envelope }: { type: string; created_at: string; data: Readonly<Record<string, unknown>> }) {
  const whole = textOf({ ...envelope, data });
  if (Buffer.byteLength(whole) <= WEBHOOK_LIMITS.payload.max) return whole;
  const { headers: _, ...rest } = data;
  const to = Array.isArray(rest.to) ? rest.to : [];
  for (let kept = to.length; ; kept = Math.floor(kept / 2)) {
    const cut = { ...rest, ...(to.length > 0 && { to: to.slice(0, kept) }), truncated: true };
    const text = textOf({ ...envelope, data: cut });
    if (Buffer.byteLength(text) <= WEBHOOK_LIMITS.payload.max || kept === 0) return text;
  }
}

/** JSON of well-formed text. Stored text is well-formed. */
function textOf(value: unknown): string {
  return JSON.stringify(value);
}
