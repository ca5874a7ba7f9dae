import type { IncomingMessage } from 'node:http';
import type { IncomingReport } from '../incoming/incoming-report.js';
import { JsonView } from './json-view.js';
import type { Relay, RelayPost } from './relay.js';
import { type RelayReport, relayReport } from './relay-report.js';
import { hardBounce, RELAY_CODES, softBounce, type Verdict } from './relay-verdicts.js';
import { replyText } from './reply-text.js';
import { sameText } from './same-text.js';
import { unproven } from './unproven.js';

/** The meaning of a type of bounce. */
type Meaning = (reply: string | undefined) => { kind: IncomingReport['kind'] } & Verdict;

const delayed: Meaning = (reply) => ({ kind: 'deferred', ...(reply !== undefined && { reply }) });
const soft =
  (...[subType]: [Parameters<typeof softBounce>[1]?]): Meaning =>
  (reply) => ({ kind: 'bounced', ...softBounce(reply, subType) });
const hard =
  (code?: string): Meaning =>
  (reply) => ({ kind: 'bounced', ...hardBounce(reply, code) });
const failed =
  (code: string): Meaning =>
  (reply) => ({ kind: 'failed', code, ...(reply !== undefined && { reply }) });

/**
 * Types of bounces (postmarkapp.com/developer/api/bounce-api, read 2026-11-26). The others are answers of programs or are
 * about incoming mail. A `SpamNotification` is the verdict of a filter, or of a user, about a message that was delivered: the
 * complaint of a user has a separate record.
 */
const BOUNCES: ReadonlyMap<string, Meaning> = new Map([
  ['HardBounce', hard()],
  ['BadEmailAddress', hard('address_invalid')],
  ['Transient', delayed],
  ['DnsError', delayed],
  ['SoftBounce', soft()],
  ['Undeliverable', soft()],
  ['Blocked', soft()],
  ['DMARCPolicy', soft()],
  ['SpamNotification', soft('ContentRejected')],
  ['VirusNotification', soft('AttachmentRejected')],
  ['Unknown', (reply) => ({ kind: 'bounced', ...(reply !== undefined && { reply }) })],
  ['SpamComplaint', () => ({ kind: 'complained' })],
  ['ManuallyDeactivated', failed(RELAY_CODES.suppressed)],
  ['SMTPApiError', failed(RELAY_CODES.rejected)],
  ['TemplateRenderingFailed', failed(RELAY_CODES.rejected)],
]);

/** Broadcast streams report only that an address came onto Postmark's list, and why. */
const SUPPRESSIONS: ReadonlyMap<string, Meaning> = new Map([
  ['HardBounce', hard()],
  ['SpamComplaint', () => ({ kind: 'complained' })],
]);

/**
 * Webhooks of Postmark, which signs nothing: the user and the password in the URL prove them
 * (postmarkapp.com/developer/webhooks/webhooks-overview, read 2026-11-26).
 */
export class PostmarkRelay implements Relay {
  private readonly authorization: string;

  /** @param auth `user:password` */
  constructor(auth: string) {
    this.authorization = Buffer.from(auth).toString('base64');
  }

  admit({ headers }: IncomingMessage): void {
    const [, given = ''] = /^Basic +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (sameText(given, this.authorization)) return;
    throw unproven('The user or the password in the URL of the webhook is wrong.', 'Basic realm="hooks"');
  }

  /** Postmark asks a URL when it is saved, and documents no body for that. */
  read(body: Buffer): RelayPost {
    if (body.length === 0) return { reports: [] };
    return { reports: reportsOf(JsonView.ofBytes(body).orRefuse('an event of Postmark')) };
  }
}

function reportsOf(event: JsonView): RelayReport[] {
  const time = event.at('BouncedAt').exact ?? event.at('DeliveredAt').exact ?? event.at('ChangedAt').exact ?? '';
  const ids = {
    emailId: event.at('Metadata').at('email_id').text,
    relayId: event.at('MessageID').text,
    recipient: event.at('Email').text ?? event.at('Recipient').text,
    at: Date.parse(time),
  };
  const details = event.at('Details').text;
  const reply = replyText({ text: details });
  switch (event.at('RecordType').exact) {
    case 'Bounce':
      return meant(BOUNCES.get(event.at('Type').exact ?? ''), reply, ids);
    case 'SpamComplaint':
      return [relayReport('complained', ids)];
    case 'Delivery':
      return [relayReport('delivered', { ...ids, reply })];
    case 'SubscriptionChange': {
      const isAdded = event.at('SuppressSending').isTrue;
      return isAdded ? meant(SUPPRESSIONS.get(event.at('SuppressionReason').exact ?? ''), undefined, ids) : [];
    }
    default:
      return [];
  }
}

function meant(meaning: Meaning | undefined, reply: string | undefined, ids: object): RelayReport[] {
  if (!meaning) return [];
  const { kind, ...verdict } = meaning(reply);
  return [relayReport(kind, { ...ids, ...verdict })];
}
