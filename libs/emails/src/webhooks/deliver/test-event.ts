import { randomUUID } from 'node:crypto';
import type { SubscribedEmailEvent } from '../../index.js';
import type { TestEventType } from '../endpoints/event-types.js';
import { messageOf, type WebhookMessage } from './payload.js';

/** Id of the subject of a test event: no email, contact or topic has it. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const FROM = 'Acme <acme@example.com>';
const TO = 'delivered@example.com';

type EmailTestType = Extract<TestEventType, `email.${string}`>;
type EmailExample = Pick<SubscribedEmailEvent, 'type'> & Partial<SubscribedEmailEvent>;

/** Test events of emails. */
const EMAIL_EXAMPLES: Record<EmailTestType, EmailExample> = {
  'email.scheduled': { type: 'scheduled' },
  'email.sent': { type: 'sent', recipient: TO },
  'email.delivered': { type: 'delivered', recipient: TO },
  'email.delivery_delayed': { type: 'delivery_delayed', recipient: TO, reason: '451 4.7.1 Try again later' },
  'email.bounced': {
    type: 'bounced',
    recipient: TO,
    reason: '550 5.1.1 There is no such mailbox',
    bounce: { type: 'Permanent', subType: 'NoEmail' },
  },
  'email.complained': { type: 'complained', recipient: TO },
  'email.failed': { type: 'failed', recipient: TO, reasonCode: 'expired' },
  'email.suppressed': {
    type: 'suppressed',
    recipient: TO,
    reasonCode: 'previous_bounce',
    reason: '550 5.1.1 There is no such mailbox',
  },
};

const contact = (at: string) => ({
  id: NO_ID,
  audience_id: NO_ID,
  segment_ids: [],
  created_at: at,
  updated_at: at,
  email: TO,
  first_name: 'Jane',
  last_name: 'Doe',
  unsubscribed: false,
});
const topic = (deleted: boolean) => (at: string) => ({
  id: NO_ID,
  name: 'Product news',
  description: null,
  default_subscription: 'opt_in',
  deleted,
  created_at: at,
  updated_at: at,
});

const suppression = (at: string) => ({ id: NO_ID, email: TO, origin: 'bounce', source_id: NO_ID, created_at: at });

const domain = (status: string) => (at: string) => ({
  id: NO_ID,
  name: 'example.com',
  status,
  created_at: at,
  region: 'us-east-1',
  capabilities: { sending: 'enabled', receiving: 'disabled' },
  records: [
    {
      record: 'DKIM',
      name: 's2611r._domainkey',
      type: 'TXT',
      ttl: 'Auto',
      status,
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    },
  ],
});

/** Data of test events that are not of emails. @param at now, in ISO 8601 */
const RECORD_EXAMPLES: Record<Exclude<TestEventType, EmailTestType>, (at: string) => Record<string, unknown>> = {
  'contact.created': contact,
  'contact.updated': contact,
  'contact.deleted': contact,
  'contact.topics.updated': () => ({ email: TO, topics: [{ id: NO_ID, subscription: 'opt_in' }] }),
  'topic.created': topic(false),
  'topic.updated': topic(false),
  'topic.deleted': topic(true),
  'suppression.added': suppression,
  'suppression.removed': suppression,
  'domain.created': domain('not_started'),
  'domain.updated': domain('verified'),
  'domain.deleted': domain('verified'),
};

/** An event of made-up data, in the form of real ones. Its subject has the nil UUID. */
export function testEvent(type: TestEventType, accountId: string): WebhookMessage {
  const createdAt = new Date();
  const event = { id: randomUUID(), accountId, createdAt };
  return isOfEmail(type)
    ? messageOf({ ...event, emailId: NO_ID, ...EMAIL_EXAMPLES[type], email: emailAt(createdAt) })
    : messageOf({ ...event, type, data: RECORD_EXAMPLES[type](createdAt.toISOString()) });
}

function isOfEmail(type: TestEventType): type is EmailTestType {
  return type in EMAIL_EXAMPLES;
}

function emailAt(createdAt: Date): SubscribedEmailEvent['email'] {
  const to = [TO];
  const none = { cc: [], bcc: [], replyTo: [], headers: [] };
  const tags = [{ name: 'test', value: 'true' }];
  return { messageId: `<${NO_ID}@example.com>`, from: FROM, to, subject: 'A test event', createdAt, tags, ...none };
}
