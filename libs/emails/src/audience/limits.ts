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
  choices: { of: 'topics that one request chooses', max: 20_000, unit: 'in number' },
} satisfies Limits;
