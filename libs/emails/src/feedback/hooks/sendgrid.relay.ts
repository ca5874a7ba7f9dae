import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { isRecent, unixTime } from './is-recent.js';
import { JsonView } from './json-view.js';
import type { Relay, RelayPost } from './relay.js';
import { type RelayReport, relayReport } from './relay-report.js';
import { hardBounce, RELAY_CODES, softBounce } from './relay-verdicts.js';
import { replyText } from './reply-text.js';
import { unproven } from './unproven.js';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** Drops because of SendGrid's own lists; its other reasons are about the message. */
const LISTED: ReadonlySet<string> = new Set(['Bounced Address', 'Unsubscribed Address', 'Spam Reporting Address']);

/**
 * The event webhook of SendGrid, signed with ECDSA and SHA-256 over the timestamp and the body
 * (www.twilio.com/docs/sendgrid/for-developers/tracking-events, read 2026-11-26).
 */
export class SendgridRelay implements Relay {
  private readonly key: KeyObject;

  /** @param key the verification key that SendGrid shows: base64 of DER */
  constructor(key: string) {
    this.key = sendgridKey(key);
  }

  admit({ headers }: IncomingMessage): void {
    if (!headers[SIGNATURE] || !isRecent(unixTime(String(headers[TIMESTAMP])), FEEDBACK_LIMITS.sendgridAge.max))
      throw refusal();
  }

  read(body: Buffer, headers: IncomingHttpHeaders): RelayPost {
    const signature = Buffer.from(String(headers[SIGNATURE]), 'base64');
    const signed = Buffer.concat([Buffer.from(String(headers[TIMESTAMP])), body]);
    if (!verify('sha256', signed, this.key, signature)) throw refusal();
    const events = JsonView.ofBytes(body);
    if (!events.isList) throw ApiError.malformed('The request body must be an array of events.');
    return { reports: events.items.flatMap(reportsOf) };
  }
}

/** @throws Error for a text that is no public key of an elliptic curve */
export function sendgridKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ec') throw new Error('This is no key of an elliptic curve.');
  return key;
}

function refusal() {
  return unproven('This request has no valid, recent signature of SendGrid.');
}

function reportsOf(event: JsonView): RelayReport[] {
  const relayId = event.at('sg_message_id').text?.split(/\.(?:filter|recv)/, 1)[0];
  const ids = {
    // Unique arguments are keys of the event.
    emailId: (event.at('email_id').text ?? event.at('unique_args').at('email_id').text) || undefined,
    messageId: event.at('smtp-id').text,
    relayId,
    recipient: event.at('email').text,
    at: unixTime(event.at('timestamp').text),
  };
  const reason = event.at('reason').text;
  const refused = replyText({ status: event.at('status').text, text: reason });
  switch (event.at('event').exact) {
    case 'bounce':
      return [
        relayReport('bounced', {
          ...ids,
          ...(event.at('type').exact === 'blocked' ? softBounce(refused) : hardBounce(refused)),
        }),
      ];
    case 'deferred':
      return [relayReport('deferred', { ...ids, reply: event.at('response').text })];
    case 'delivered':
      return [relayReport('delivered', { ...ids, reply: event.at('response').text })];
    case 'dropped': {
      const code = LISTED.has(reason ?? '') ? RELAY_CODES.suppressed : RELAY_CODES.rejected;
      return [relayReport('failed', { ...ids, reply: reason, code })];
    }
    case 'spamreport':
      return [relayReport('complained', ids)];
    default:
      return [];
  }
}
