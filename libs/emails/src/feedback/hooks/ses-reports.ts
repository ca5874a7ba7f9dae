import { JsonView } from './json-view.js';
import { type RelayReport, relayReport } from './relay-report.js';
import { hardBounce, RELAY_CODES, softBounce, type Verdict } from './relay-verdicts.js';
import { replyText } from './reply-text.js';

type SoftType = NonNullable<Parameters<typeof softBounce>[1]>;

const SOFT: ReadonlySet<string> = new Set<SoftType>([
  'General',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
]);

/** SES has the address on a list, and sent nothing. */
const LISTED: ReadonlySet<string> = new Set(['Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient']);

/** Types of feedback that are no complaint, RFC 5965 section 7.3 and RFC 6591. */
const NO_COMPLAINT: ReadonlySet<string> = new Set(['not-spam', 'auth-failure']);

/**
 * Reports in the text of a message that SES published to a topic
 * (docs.aws.amazon.com/ses/latest/dg/notification-contents.html and event-publishing-retrieving-sns-contents.html, read
 * 2026-11-26). A text that is not JSON is a greeting.
 */
export function sesReports(text: string): RelayReport[] {
  const event = parsed(text);
  if (!event) return [];
  const mail = event.at('mail');
  const ids = {
    token: headerOf(mail, 'x-email-ref'),
    emailId: mail.at('tags').at('email_id').items[0]?.text,
    // Its 250 has the id alone, its `Message-ID` the id and a domain.
    relayId: mail.at('messageId').text?.replaceAll(/^<|@.*$/g, ''),
    messageId: headerOf(mail, 'message-id'),
    // When SES accepted the message.
    at: Date.parse(mail.at('timestamp').exact ?? ''),
  };
  switch (event.at('notificationType').exact ?? event.at('eventType').exact) {
    case 'Bounce':
      return bounces(event.at('bounce'), ids);
    case 'Complaint':
      return complaints(event.at('complaint'), ids);
    case 'Delivery': {
      const delivery = event.at('delivery');
      const reply = replyText({ text: delivery.at('smtpResponse').text });
      return addresses(delivery.at('recipients')).map((recipient) =>
        relayReport('delivered', { ...ids, recipient, reply }),
      );
    }
    case 'DeliveryDelay':
      return event
        .at('deliveryDelay')
        .at('delayedRecipients')
        .items.map((one) =>
          relayReport('deferred', { ...ids, recipient: one.at('emailAddress').text, reply: wordsOf(one) }),
        );
    case 'Reject':
      return rejections(mail, ids, event.at('reject').at('reason').text);
    case 'Rendering Failure':
      return rejections(mail, ids, event.at('failure').at('errorMessage').text);
    default:
      return [];
  }
}

function parsed(text: string): JsonView | undefined {
  try {
    return JsonView.ofText(text);
  } catch {
    return undefined;
  }
}

function bounces(bounce: JsonView, ids: object): RelayReport[] {
  const type = bounce.at('bounceType').exact ?? '';
  const subType = bounce.at('bounceSubType').exact ?? '';
  return bounce.at('bouncedRecipients').items.flatMap((one) => {
    const recipient = one.at('emailAddress').text;
    const action = one.at('action').exact ?? '';
    const reply = wordsOf(one);
    if (LISTED.has(subType)) return [relayReport('failed', { ...ids, recipient, reply, code: RELAY_CODES.suppressed })];
    if (action === 'delayed') return [relayReport('deferred', { ...ids, recipient, reply })];
    // SES reports answers of programs, such as an out-of-office, as such bounces.
    const isAnswer = type === 'Transient' && subType === 'General' && action === '' && reply === undefined;
    if (isAnswer || (action !== '' && action !== 'failed')) return [];
    return [relayReport('bounced', { ...ids, recipient, ...verdict(type, subType, reply) })];
  });
}

function verdict(type: string, subType: string, reply: string | undefined): Verdict {
  if (type === 'Permanent' && (subType === 'General' || subType === 'NoEmail')) return hardBounce(reply);
  if (type === 'Transient') return softBounce(reply, SOFT.has(subType) ? (subType as SoftType) : 'General');
  return reply === undefined ? {} : { reply };
}

/** With several recipients, SES only knows who may have complained: those at the reporting provider. */
function complaints(complaint: JsonView, ids: object): RelayReport[] {
  const all = complaint.at('complainedRecipients').items.map((one) => one.at('emailAddress').text);
  if (LISTED.has(complaint.at('complaintSubType').exact ?? '')) {
    return all.map((recipient) => relayReport('failed', { ...ids, recipient, code: RELAY_CODES.suppressed }));
  }
  if (NO_COMPLAINT.has(complaint.at('complaintFeedbackType').exact ?? '')) return [];
  return [relayReport('complained', { ...ids, recipient: all.length === 1 ? all[0] : undefined })];
}

function rejections(mail: JsonView, ids: object, reply: string | undefined): RelayReport[] {
  const code = RELAY_CODES.rejected;
  return addresses(mail.at('destination')).map((recipient) =>
    relayReport('failed', { ...ids, recipient, reply, code }),
  );
}

function addresses(list: JsonView): string[] {
  return list.items.map((one) => one.text).filter((text) => text !== undefined);
}

function wordsOf(recipient: JsonView): string | undefined {
  return replyText({ status: recipient.at('status').text, text: recipient.at('diagnosticCode').text });
}

/** A header of the message as it was handed over, if the topic includes them. */
function headerOf(mail: JsonView, name: string): string | undefined {
  const found = mail.at('headers').items.find((header) => header.at('name').exact?.toLowerCase() === name);
  return found?.at('value').text;
}
