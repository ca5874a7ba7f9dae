import { countOf } from '../../parts/numbers';

/** Every text of the screen of a person. */
export const TEXTS = {
  notRead: 'The emails could not be read',
  copied: 'the address',
  standing: {
    title: 'Delivery',
    bounced: 'Last bounce',
    complained: 'Last complaint',
    none: 'None found',
    notRead: 'Bounces and complaints could not be read',
    suppressed: 'Suppressed',
    notSuppressed: 'No: emails are sent to it',
    why: {
      bounce: 'Yes: an email bounced',
      complaint: 'Yes: its owner reported an email as spam',
      manual: 'Yes: added by hand',
    },
    suppressionNotRead: 'The suppression list could not be read',
  },
  contact: {
    title: 'Contact',
    none: 'This address is no contact. Emails can be sent to it all the same.',
    create: 'Create contact',
    open: 'Open contact',
    name: 'Name',
    created: 'Created',
    subscription: 'Subscription',
    unsubscribed: 'Unsubscribed from everything',
    subscribed: 'Subscribed',
    topics: 'Topics',
    topic: { opt_in: 'gets it', opt_out: 'opted out' },
    notRead: 'The contact could not be read',
  },
  emails: {
    title: 'Emails',
    listOf: (address: string) => `Emails to ${address}`,
    search: 'Open in Emails',
    none: 'No emails to this address',
    noneText: 'Nothing was sent to it, or its emails were removed.',
    more: (count: number) => `Show more (${countOf(count)} shown)`,
  },
} as const;
