import type { EmailState } from '../../api/types';
import { countedOf, countOf } from '../../parts/numbers';

/** An action on many emails. */
export type BulkAction = 'cancel' | 'retry' | 'resend';

interface ActionTexts {
  /** Label of the button. */
  button: string;
  title: (emails: string) => string;
  confirm: (emails: string) => string;
  meaning: string;
  /** While it runs. */
  running: (emails: string) => string;
  done: (emails: string) => string;
}

const emailsOf = (count: number) => countedOf(count, 'email');

/** All texts of the list of emails. */
export const TEXTS = {
  title: 'Emails',
  list: 'Emails',
  notListed: 'The emails could not be listed',
  newEmails: (count: number) => countedOf(count, 'new email'),
  noSubject: '(no subject)',
  to: 'to',
  from: 'from',
  more: (count: number) => `+${count}`,
  attachments: (count: number) => countedOf(count, 'attachment'),
  ofTag: (tag: string) => `Emails with the tag ${tag}`,
  ofTopic: (topic: string) => `Emails of the topic ${topic}`,
  topic: 'Topic',

  search: {
    field: 'Search emails',
    placeholder: 'Search by address, name, subject or id',
    clear: 'Clear the search',
    help: 'Search for words of a subject, a name or an address, paste an id or a message id, or use these filters:',
    examples: [
      ['to:jane@example.com', 'recipient'],
      ['from:shop@example.com', 'sender'],
      ['state:bounced', 'state'],
      ['tag:order:1182', 'tag'],
      ['topic:ID', 'topic'],
      ['after:7d', 'in the last 7 days'],
      ['before:2026-11-21', 'until a day'],
    ],
    notUnderstood: 'This search is not understood',
    refused: 'This search cannot be done',
    unknown: (name: string, raw: string) =>
      `There is no filter “${name}:”. To find these words in subjects and names, put them in quotes: "${raw.replaceAll('"', '')}".`,
    missing: (name: string) => `The filter “${name}:” has no value.`,
    twice: (name: string) => `The filter “${name}:” can be used once.`,
    noAddress: (name: string, value: string) =>
      `“${name}:” takes a whole address, such as ${name}:jane@example.com. To find a part of an address, write only ${value}.`,
    noTopic: '“topic:” takes the id of a topic, which is in the address of the topic’s page.',
    noState: (state: string) => `There is no state “${state}”. Choose one of the list next to the search.`,
    noTime: (name: string, value: string) =>
      `“${value}” is no time. “${name}:” takes 24h, 7d, today, yesterday, a date such as 2026-11-21, or a time such as 2026-11-21T05:26Z.`,
    noWord: (text: string) => `“${text}” has no letter and no digit to search for.`,
    tooManyWords: (max: number) => `A search has at most ${max} different words.`,
  },

  filters: {
    state: 'State',
    anyState: 'Any state',
    severalStates: 'Several states',
    date: 'Date',
    anyDate: 'Any time',
    today: 'Today',
    lastDay: 'Last 24 hours',
    lastWeek: 'Last 7 days',
    customDate: 'Custom range…',
    chosenDate: 'Custom range',
    changeDate: 'Change the range…',
    sender: 'Sender',
    anySender: 'Any sender',
    dateTitle: 'Custom range',
    dateFrom: 'From',
    dateTo: 'To',
    dateHint: 'Both days are included. An empty field means no limit.',
    dateOrder: 'The last day is before the first.',
    dateAction: 'Apply',
  },
  stateNames: {
    queued: 'Queued',
    scheduled: 'Scheduled',
    sent: 'Sent',
    delivered: 'Delivered',
    delivery_delayed: 'Delayed',
    bounced: 'Bounced',
    complained: 'Complained',
    opened: 'Opened',
    clicked: 'Clicked',
    canceled: 'Canceled',
    failed: 'Failed',
    suppressed: 'Suppressed',
  } satisfies Readonly<Record<EmailState, string>>,

  empty: {
    title: 'No emails yet',
    text: 'Emails sent through this API appear here automatically. Send one:',
    noMatch: 'No matching emails',
    noMatchText: 'Words must be whole: “jane” finds jane.doe@example.com, “jan” does not. Or remove a filter.',
    clear: 'Clear search and filters',
  },

  selection: {
    row: (subject: string) => `Select ${subject}`,
    all: 'Select all',
    allOf: (count: number) => `Select all ${countOf(count)}`,
    some: (count: number) => `${countOf(count)} selected`,
    every: (count: number) => (count === 1 ? 'The email that matches' : `All ${countOf(count)} that match`),
    everyUncounted: 'All that match',
    clear: 'Clear',
    tooMany: (max: number) => `Select at most ${countOf(max)} emails, or all that match.`,
    export: 'Export CSV',
    exportFailed: 'The emails could not be exported',
  },

  actions: {
    cancel: {
      button: 'Cancel',
      title: (emails) => `Cancel ${emails}?`,
      confirm: (emails) => `Cancel ${emails}`,
      meaning:
        'Scheduled and delayed emails will not be sent. Emails that have already been sent cannot be canceled and stay as they are.',
      running: (emails) => `Canceling ${emails}`,
      done: (emails) => `Canceled ${emails}.`,
    },
    retry: {
      button: 'Retry now',
      title: (emails) => `Retry ${emails} now?`,
      confirm: (emails) => `Retry ${emails}`,
      meaning: 'The next attempt of each delayed email begins at once. Emails that are not delayed stay as they are.',
      running: (emails) => `Retrying ${emails}`,
      done: (emails) => `Retried ${emails}.`,
    },
    resend: {
      button: 'Resend',
      title: (emails) => `Resend ${emails}?`,
      confirm: (emails) => `Resend ${emails}`,
      meaning:
        'Each email is sent again as a new email to the recipients for whom it bounced or failed. Emails without such recipients, and emails whose content was deleted, are not sent again.',
      running: (emails) => `Resending ${emails}`,
      done: (emails) => `Resent ${emails}.`,
    },
  } satisfies Readonly<Record<BulkAction, ActionTexts>>,
  /** The emails of an action, in its title and button. */
  emailsOf,
  allThatMatch: 'all emails that match',
  counting: 'The emails are being counted…',
  notCounted: 'The emails could not be counted',
  noneMatches: 'No email matches any more.',
  notStarted: 'The action was not started',
  startMeaning: 'No email was changed.',
  close: 'Close',
  progress: {
    label: 'Progress of the action',
    unread: 'The progress of the action could not be read',
    unreadMeaning: 'The action continues on the server.',
    counts: (done: number, matched: number) => `${countOf(done)} of ${countOf(matched)}`,
    refused: (count: number) => `${emailsOf(count)} stayed as ${count === 1 ? 'it was' : 'they were'}`,
    reasons: 'Reasons',
    first: (count: number) => `The first ${countOf(count)}:`,
    dismiss: 'Dismiss',
  },

  test: {
    open: 'Send a test',
    title: 'Send a test email',
    action: 'Send',
    failure: 'The email was not sent',
    sent: 'Test email created.',
    close: 'Close',
    from: 'From',
    to: 'To',
    subject: 'Subject',
    html: 'HTML',
  },
} as const;
