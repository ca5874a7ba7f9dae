/** The changes that the routes record, each with its meaning. A feature of yours may record other names. */
export const ACTIONS = {
  'email.cancel': 'A scheduled or delayed email was canceled.',
  'email.reschedule': 'A scheduled email got another time.',
  'email.retry': 'The next attempt of a delayed email was made due at once.',
  'email.resend': 'An email was sent again, as a new one.',
  'email.share': 'A link to a page that shows an email was made.',
  'erasure.create': 'The erasure of a person was requested.',
  'api_key.create': 'An API key was created.',
  'api_key.update': 'An API key was renamed.',
  'api_key.delete': 'An API key was revoked.',
  'topic.create': 'A topic was created.',
  'topic.update': 'A topic was changed.',
  'topic.delete': 'A topic was deleted.',
  'contact.create': 'A contact was created on the page, or written where it existed.',
  'contact.update': 'A contact was changed on the page.',
  'contact.update_topics': 'The choices of a contact were changed on the page.',
  'contact.delete': 'A contact was deleted on the page.',
  'template.create': 'A template was created.',
  'template.update': 'The draft of a template was changed.',
  'template.publish': 'The draft of a template was published.',
  'template.duplicate': 'A template was copied into a new draft.',
  'template.delete': 'A template was deleted.',
  'webhook.create': 'A webhook was created.',
  'webhook.update': 'A webhook was changed.',
  'webhook.rotate_secret': 'A webhook got a new signing secret.',
  'webhook.delete': 'A webhook was deleted.',
  'webhook.test': 'A test event was written for a webhook.',
  'webhook.replay': 'Failed events of a webhook were sent again; `count` is their number.',
  'webhook_event.replay': 'An event was sent to a webhook again.',
} as const;

/** A change that the routes record. */
export type ActionName = keyof typeof ACTIONS;
