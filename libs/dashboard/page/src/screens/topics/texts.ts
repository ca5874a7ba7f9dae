import type { Topic } from '../../api/types';
import { countedOf } from '../../parts/numbers';

/** Every text of the Topics screen. */
export const TEXTS = {
  title: 'Topics',
  list: 'All topics',
  notListed: 'The topics could not be listed',
  notListedMeaning: 'Emails are sent as before, to recipients who want them.',
  notRead: 'The topic could not be read',
  missing: { title: 'There is no topic with this id', text: 'It may have been deleted.' },
  new: 'New topic',
  change: 'Change the topic',
  settings: 'Settings',
  id: 'Id',
  theId: 'the id',
  created: 'Created',
  empty: {
    title: 'No topics yet',
    text: 'A topic is a kind of email, such as product news or invoices. An email with a topic_id reaches only recipients who want that topic. Create one here, or with the API:',
  },
  name: 'Name',
  nameHint: 'One line of up to 50 characters. Recipients may read it.',
  description: 'Description',
  descriptionHint: 'Up to 200 characters. Optional.',
  audience: 'Who gets its emails',
  audienceHint: 'This cannot be changed after the topic is created.',
  audienceFixed: 'This cannot be changed: people gave or refused their consent on this basis.',
  visibility: 'Visibility',
  save: 'Save',
  create: 'Create topic',
  wasCreated: (name: string) => `Topic ${name} was created.`,
  wasDeleted: (name: string) => `Topic ${name} was deleted.`,
  notSaved: 'The topic was not saved',
  inputKept: 'Your input is still here.',
  choices: {
    title: 'Preference page',
    hint: 'Readers of its emails come to this page by their unsubscribe link. Here it is for somebody who has made no choice yet, and its buttons do nothing.',
    frame: 'Preference page',
  },
  delete: 'Delete',
  deleting: {
    titleOf: (name: string) => `Delete the topic ${name}?`,
    action: 'Delete topic',
    failure: 'The topic was not deleted',
    meaning: 'Emails of this topic are sent as before.',
    pending: (count: number, isMore: boolean) => {
      if (count === 0) return 'No emails of this topic are pending.';
      if (isMore) return `More than ${count} emails of this topic are pending.`;
      return `${countedOf(count, 'email')} of this topic ${count === 1 ? 'is' : 'are'} pending.`;
    },
    emails: 'Pending emails will not be delivered: they fail as “opted out”. Sent emails do not change.',
    choices: 'The contacts’ choices for this topic are deleted with it, and cannot be restored.',
  },
} as const;

/** Meaning of a default, for contacts without a choice. */
export const DEFAULTS: Readonly<Record<Topic['default_subscription'], string>> = {
  opt_in: 'Everybody except those who opted out',
  opt_out: 'Only those who opted in',
};

/** Each visibility, as a word and with its meaning. */
export const VISIBILITIES: Readonly<Record<Topic['visibility'], { word: string; meaning: string }>> = {
  private: { word: 'private', meaning: 'Private: on preference pages, only people who opted in see it' },
  public: { word: 'public', meaning: 'Public: everybody sees it on preference pages' },
};
