import type { Limits } from '../shared/limits.js';

/** Limits of contacts and topics. */
export const AUDIENCE_LIMITS = {
  topicName: { of: 'the name of a topic', max: 50, unit: 'characters' },
  topicDescription: { of: 'the description of a topic', max: 200, unit: 'characters' },
  personName: { of: 'the first name of a contact, and the last', max: 255, unit: 'characters' },
  properties: { of: 'properties of a contact', max: 100, unit: 'in number' },
  propertyName: { of: 'the name of a property', max: 50, unit: 'characters' },
  propertyText: { of: 'the text of a property', max: 2_000, unit: 'characters' },
  /** More than a body of 1 MB holds, and a number that one statement can process. */
  pageTopics: {
    of: 'topics on a page of choices',
    max: 100,
    unit: 'in number',
    beyond: 'the others are not shown',
  },
  unsubscribeBody: { of: 'a body of `POST /unsubscribe/:token`', max: 4_096, unit: 'bytes', beyond: '413' },
  unsubscribeRequests: {
    of: 'requests with the links of one recipient, and requests with wrong links from one network',
    max: 60,
    unit: 'times a minute',
    beyond: '429',
  },
  unsubscribes: {
    of: 'changes of choices by links; half of them of one account',
    max: 4,
    unit: 'at once',
    beyond: 'waits for a turn',
  },
  choices: { of: 'topics that one request chooses', max: 20_000, unit: 'in number' },
} satisfies Limits;
