import type { ActionName } from 'nestjs-emails/facts';
import { countedOf } from '../../parts/numbers';

type Noun = ActionName extends infer Name ? (Name extends `${infer First}.${string}` ? First : never) : never;

/** Every text of the activity log. */
export const TEXTS = {
  title: 'Activity log',
  lead: 'Changes of the last 90 days, by this page and by API keys.',
  list: 'Changes',
  filter: 'Show',
  all: 'All changes',
  notListed: 'The activity log could not be read',
  meaning: 'Changes are still recorded.',
  more: 'Show older changes',
  empty: {
    title: 'No changes yet',
    text: 'Everything that people change on this page, or that a program changes with an API key, is listed here: who did it, when, and to what. Sent emails are in Emails.',
  },
  noneOf: {
    title: 'No such change in the last 90 days',
    showAll: 'Show all changes',
  },
  sources: { page: 'Page', api: 'API' },
  key: (name: string) => `By API key ${name}`,
  deletedKey: (id: string) => `By a deleted API key (${id})`,
  hostPerson: 'By somebody signed in at this host',
  session: (id: string) => `session ${id}`,
  others: (count: number) => `and ${countedOf(count, 'other')}`,
} as const;

/** The nouns of actions, for groups of the filter and names of links. */
export const NOUNS: Readonly<Record<Noun, { group: string; one: string }>> = {
  email: { group: 'Emails', one: 'Email' },
  erasure: { group: 'Erasures', one: 'Erasure' },
  api_key: { group: 'API keys', one: 'API key' },
  topic: { group: 'Topics', one: 'Topic' },
  contact: { group: 'Contacts', one: 'Contact' },
  suppression: { group: 'Suppressions', one: 'Suppression' },
  domain: { group: 'Domains', one: 'Domain' },
  template: { group: 'Templates', one: 'Template' },
  webhook: { group: 'Webhooks', one: 'Webhook' },
  webhook_event: { group: 'Webhooks', one: 'Event' },
};

const addresses = (count: number) => (count === 1 ? 'an address' : countedOf(count, 'address', 'addresses'));
const emails = (count: number) => (count === 1 ? 'an email' : countedOf(count, 'email'));

/** A sentence for each action, with the number of changed objects. A missing one does not compile. */
export const SENTENCES: Readonly<Record<ActionName, (count: number) => string>> = {
  'email.cancel': (count) => `Canceled ${emails(count)}`,
  'email.reschedule': (count) => `Rescheduled ${emails(count)}`,
  'email.retry': (count) => `Retried ${emails(count)}`,
  'email.resend': (count) => `Resent ${emails(count)}`,
  'email.share': (count) => `Shared ${emails(count)} by a link`,
  'erasure.create': () => 'Requested the erasure of a person',
  'api_key.create': () => 'Created an API key',
  'api_key.update': () => 'Renamed an API key',
  'api_key.delete': () => 'Revoked an API key',
  'topic.create': () => 'Created a topic',
  'topic.update': () => 'Changed a topic',
  'topic.delete': () => 'Deleted a topic',
  'contact.create': () => 'Created a contact',
  'contact.update': () => 'Changed a contact',
  'contact.update_topics': () => 'Changed the topics of a contact',
  'contact.delete': () => 'Deleted a contact',
  'suppression.create': (count) => `Put ${addresses(count)} on the suppression list`,
  'suppression.delete': (count) => `Took ${addresses(count)} off the suppression list`,
  'suppression.undo': (count) => `Undid the suppression of ${addresses(count)}`,
  'domain.create': () => 'Added a domain',
  'domain.update': () => 'Changed a domain',
  'domain.verify': () => 'Asked for a check of the records of a domain',
  'domain.rotate_dkim': () => 'Rotated the keys of a domain',
  'domain.delete': () => 'Deleted a domain',
  'template.create': () => 'Created a template',
  'template.update': () => 'Changed the draft of a template',
  'template.publish': () => 'Published a template',
  'template.duplicate': () => 'Duplicated a template',
  'template.delete': () => 'Deleted a template',
  'webhook.create': () => 'Created a webhook',
  'webhook.update': () => 'Changed a webhook',
  'webhook.rotate_secret': () => 'Rotated the signing secret of a webhook',
  'webhook.delete': () => 'Deleted a webhook',
  'webhook.test': () => 'Sent a test event to a webhook',
  'webhook.replay': (count) => `Replayed ${countedOf(count, 'failed event')} of a webhook`,
  'webhook_event.replay': () => 'Replayed an event of a webhook',
};
