import type { Suppression } from '../../api/types';
import { countedOf, countOf } from '../../parts/numbers';

const addresses = (count: number) => countedOf(count, 'address', 'addresses');

/** Each origin: as a badge, in the filter, and as a sentence. */
export const ORIGINS: Readonly<Record<Suppression['origin'], { word: string; title: string; why: string }>> = {
  bounce: { word: 'bounced', title: 'Bounced', why: 'An email to it bounced: the address does not work.' },
  complaint: { word: 'complained', title: 'Complained', why: 'Its owner reported an email as spam.' },
  manual: { word: 'by hand', title: 'Added by hand', why: 'It was added by hand.' },
};

/** Every text of the Suppressions screen. */
export const TEXTS = {
  title: 'Suppressions',
  list: 'All suppressed addresses',
  foundList: 'Suppressed address found',
  notListed: 'The suppressed addresses could not be listed',
  notListedMeaning: 'They still get no mail.',
  notRead: 'The suppressed address could not be read',
  missing: { title: 'This address is not on the list', text: 'It may have been removed, or its time has ended.' },
  softWhy: 'Three emails to it in a row were given up, so it gets no mail for a time.',
  erased: 'Address of an erased person',
  origin: 'Why',
  everyOrigin: 'All reasons',
  empty: {
    title: 'No suppressed addresses',
    text: 'An address that bounces permanently, or whose owner reports an email as spam, is added here by itself, and gets no more mail. Add one here, or with the API:',
    filtered: 'No address is suppressed for this reason',
    filteredText: 'Choose all reasons to see the others.',
  },
  find: {
    label: 'Find by the whole address',
    placeholder: 'jane@example.com',
    action: 'Find',
    showAll: 'Show all',
    noneOf: (wanted: string) => `${wanted} is not suppressed`,
    none: 'This list does not keep emails from this address. The search finds whole addresses only, in upper or lower case.',
    person: 'See what was sent to it',
  },
  facts: {
    why: 'Why',
    reply: 'Server’s reply',
    since: 'Since',
    until: 'Until',
    permanent: 'It is removed',
    source: 'Caused by',
    viewSource: 'View email',
    person: 'Emails',
    viewPerson: 'View all emails to this address',
    id: 'Id',
    theId: 'the id',
  },
  effect: 'Emails to this address are not sent: they end as “suppressed”. Other recipients of the same email get it.',
  more: 'More',
  add: 'Add address',
  adding: {
    title: 'Add an address',
    action: 'Add address',
    lead: 'It gets no more mail of this account, starting with emails that are not sent yet.',
    label: 'Address',
    hint: 'One address without a name.',
    failure: 'The address was not added',
    done: (email: string) => `${email} gets no more mail.`,
  },
  remove: 'Remove',
  removing: {
    titleOf: (email: string) => `Remove ${email} from the list?`,
    action: 'Remove address',
    failure: 'The address was not removed',
    meaning: 'It still gets no mail.',
    bounce:
      'New emails are sent to it again. If it still does not work, the next one bounces and the address is added again.',
    complaint:
      'New emails are sent to it again. Remove it only if its owner asks for your mail: complaints hurt the delivery of all your mail.',
    manual: 'New emails are sent to it again.',
    past: 'Emails that were suppressed stay so: resend them if they are still wanted.',
    done: (email: string) => `${email} gets mail again.`,
  },
  export: 'Export CSV',
  exporting: 'The list could not be exported',
  import: 'Import CSV',
  undo: 'Undo bounces of a time',
  addresses,
  count: countOf,
} as const;
