/** Every event type that an endpoint may ask for, those that this server never tells of included. */
export const WEBHOOK_EVENT_TYPES = [
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
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.topics.updated',
  'domain.created',
  'domain.updated',
  'domain.deleted',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'suppression.added',
  'suppression.removed',
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
] as const;

/** One of them. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

const OF_EMAILS = 'email.';

/** What the core calls a type: those of emails have no prefix there. */
export function subscribedType(type: WebhookEventType): string {
  return type.startsWith(OF_EMAILS) ? type.slice(OF_EMAILS.length) : type;
}
