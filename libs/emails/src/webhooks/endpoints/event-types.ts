/** Every event type that an endpoint may subscribe to, by subject, including those that this server never sends. */
export const WEBHOOK_EVENTS = {
  Emails: [
    'email.sent',
    'email.scheduled',
    'email.delivered',
    'email.delivery_delayed',
    'email.complained',
    'email.bounced',
    'email.opened',
    'email.clicked',
    'email.received',
    'email.failed',
    'email.suppressed',
  ],
  Contacts: ['contact.created', 'contact.updated', 'contact.deleted', 'contact.topics.updated'],
  Topics: ['topic.created', 'topic.updated', 'topic.deleted'],
  Suppressions: ['suppression.added', 'suppression.removed'],
  Domains: ['domain.created', 'domain.updated', 'domain.deleted'],
  Inboxes: [
    'inbox.created',
    'inbox.updated',
    'inbox.deleted',
    'inbox.thread.created',
    'inbox.thread.folder.updated',
    'inbox.thread.assigned',
    'inbox.thread.unassigned',
    'inbox.thread.labels.updated',
    'inbox.email.received',
    'inbox.email.sent',
    'inbox.draft.created',
    'inbox.draft.updated',
    'inbox.draft.sent',
    'inbox.draft.deleted',
  ],
} as const;

/** One of them. */
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[keyof typeof WEBHOOK_EVENTS][number];

/** All of them, in the order of the table. */
export const WEBHOOK_EVENT_TYPES: readonly WebhookEventType[] = Object.values(WEBHOOK_EVENTS).flat();

/** Types of which there is a test event: those that this server sends. */
export const TEST_EVENT_TYPES = [
  'email.sent',
  'email.scheduled',
  'email.delivered',
  'email.delivery_delayed',
  'email.complained',
  'email.bounced',
  'email.failed',
  'email.suppressed',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.topics.updated',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'suppression.added',
  'suppression.removed',
  'domain.created',
  'domain.updated',
  'domain.deleted',
] as const satisfies readonly WebhookEventType[];

/** One of them. */
export type TestEventType = (typeof TEST_EVENT_TYPES)[number];

/** True if there is a test event of a type. */
export function isTestEventType(type: string): type is TestEventType {
  return TEST_EVENT_TYPES.some((known) => known === type);
}

const OF_EMAILS = 'email.';

/** Name of a type in the core. The core's email events have no prefix. */
export function subscribedType(type: WebhookEventType): string {
  return type.startsWith(OF_EMAILS) ? type.slice(OF_EMAILS.length) : type;
}
