import { randomBytes } from 'node:crypto';
import { signedHeaders } from '../shared/keys/webhook-signature.js';

/** What is told of, as it stands in a request of a webhook. */
export interface WebhookPayload {
  /** `email.delivered`, `contact.created`. */
  type: string;
  data: Readonly<Record<string, unknown>>;
  /** In RFC 3339, of the event. Default: the time of the attempt. */
  created_at?: string;
}

/** What a request would have of its own. */
export interface SignedWebhookOptions {
  /** `msg_…`: give it twice for an event that comes twice. Default: a new one. */
  id?: string;
  /** Of the attempt. Receivers refuse what is more than five minutes away from their clock. Default: now. */
  sentAt?: Date;
}

/** A request of a webhook: a POST of `body` with `headers`, both unchanged. */
export interface SignedWebhook {
  headers: Record<string, string>;
  /** The bytes that are signed, as text. */
  body: string;
}

/**
 * A request as a webhook sends it, for tests of a program that receives them.
 *
 * @param secret `whsec_…`, of the endpoint, as its creation answered; two or more while they are rotated
 * @throws TypeError when a secret is none
 */
export function signedWebhook(
  payload: WebhookPayload,
  secret: string | readonly [string, ...string[]],
  { id = newId(), sentAt = new Date() }: SignedWebhookOptions = {},
): SignedWebhook {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets.every((each) => SECRET.test(each))) throw new TypeError('A signing secret is `whsec_` and base64.');
  const { type, data, created_at = sentAt.toISOString() } = payload;
  const body = JSON.stringify({ type, created_at, data });
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  return {
    headers: { 'content-type': 'application/json', ...signedHeaders({ id, timestamp, body }, secrets) },
    body,
  };
}

const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/** `msg_` and 27 digits. */
function newId(): string {
  const digits = BigInt(`0x${randomBytes(16).toString('hex')}`).toString();
  return `msg_${digits.padStart(27, '0').slice(-27)}`;
}
