/** The texts of the page of choices in one language. `{address}` and `{topic}` stand for the values. */
export interface UnsubscribeTexts {
  /** Direction of the script. Default: `ltr`. */
  direction?: 'ltr' | 'rtl';
  title: string;
  /** Names the reader. Has `{address}`. */
  reader: string;
  /** State of a topic. */
  subscribed: string;
  notSubscribed: string;
  /** The buttons of a topic. */
  subscribe: string;
  unsubscribe: string;
  /** Heading above all topics but that of the email. */
  otherTopics: string;
  /** Heading, explanation and button of unsubscribing from everything. */
  everything: string;
  everythingHint: string;
  unsubscribeFromAll: string;
  /** Shown after a change. The first two have `{topic}`. */
  nowSubscribed: string;
  nowUnsubscribed: string;
  nowUnsubscribedFromAll: string;
  /** Shown after a choice of a topic that no longer exists, or that the reader cannot choose. */
  notChanged: string;
  /** Shown to readers who get nothing. */
  outOfAll: string;
  /** Shown when there is no topic to choose. */
  noTopics: string;
  /** Title and text for a link that is not valid. */
  invalidTitle: string;
  invalidText: string;
}

/** The default. */
export const ENGLISH: UnsubscribeTexts = {
  title: 'Email preferences',
  reader: 'These are the choices of {address}.',
  subscribed: 'You receive these emails.',
  notSubscribed: 'You do not receive these emails.',
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  otherTopics: 'Other emails',
  everything: 'Everything',
  everythingHint: 'You still receive messages that you ask for yourself, such as a link to reset a password.',
  unsubscribeFromAll: 'Unsubscribe from everything',
  nowSubscribed: 'You are subscribed to “{topic}”.',
  nowUnsubscribed: 'You are unsubscribed from “{topic}”.',
  nowUnsubscribedFromAll: 'You are unsubscribed from everything.',
  notChanged: 'Nothing was changed: this choice does not exist any more.',
  outOfAll: 'You are unsubscribed from everything. If you subscribe to one of these, you receive only that.',
  noTopics: 'There are no subscriptions to choose from.',
  invalidTitle: 'This link is not valid',
  invalidText: 'Open the link from the email again. It may have been cut off when it was copied.',
};

/** Names of the required texts. */
export const TEXT_NAMES = Object.keys(ENGLISH) as (keyof UnsubscribeTexts)[];

/** A text with its value. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
