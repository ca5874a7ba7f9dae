import { randomBytes } from 'node:crypto';
import { signedHeaders } from './webhook-signature.js';

/** An event in the body of a webhook request. */
export interface WebhookPayload {
  /** `email.delivered`, `contact.created`. */
  type: string;
  data: Readonly<Record<string, unknown>>;
  /** Time of the event, RFC 3339. Default: the time of the attempt. */
  created_at?: string;
}

/** Parts that differ from one request to the next. */
export interface SignedWebhookOptions {
  /** `msg_…`: repeat it for an event that is sent twice. Default: a new one. */
  id?: string;
  /** Time of the attempt. Receivers refuse one that is more than five minutes away from their clock. Default: now. */
  sentAt?: Date;
}

/** A request of a webhook: a POST of `body` with `headers`, both unchanged. */
export interface SignedWebhook {
  headers: Record<string, string>;
  /** The signed text. */
  body: string;
}

/**
 * A request as a webhook sends it: for notifications of your own, and for tests of a program that receives webhooks.
 *
 * @param secret `whsec_…`, of the endpoint, from the answer to its creation; two or more during a rotation
 * @throws TypeError for an invalid secret
 *
 * @example
 * ```ts
 * const payload = { type: 'email.delivered', data: { email_id: '6b1fd3e8-6f2c-4d1a-9a57-0d1c5a3f1e42' } };
 * const { headers, body } = signedWebhook(payload, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
 * await fetch('http://localhost:3000/hooks', { method: 'POST', headers, body });
 * ```
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
