import { ApiError } from '../../shared/errors/api-error.js';
import { readEntries } from '../../shared/validation/read-fields.js';
import type { Repeated } from '../../shared/validation/repeated.js';
import type { Subscription } from '../topics/subscription.js';
import { topicChoice, topicChoices } from './contact.fields.js';

/** More than a body of 1 MB holds, and what one statement can take. */
const MAX_CHOICES = 20_000;

/** What a contact says of a topic. */
export interface TopicChoice {
  /** Of the topic. */
  id: string;
  subscription: Subscription;
}

/** A choice that was read. */
export interface KnownChoice {
  /** In lower case. */
  topicId: string;
  subscription: Subscription;
}

/**
 * The entries of the field `topics`, ids in lower case.
 *
 * @throws ApiError for the first entry that is wrong, or that names a topic again
 */
export function readTopicChoices(entries: readonly unknown[]): KnownChoice[] {
  if (!Array.isArray(entries) || entries.length > MAX_CHOICES) {
    throw ApiError.invalid(`\`topics\` must be an array of up to ${MAX_CHOICES} choices.`);
  }
  const choices = new Map<string, KnownChoice>();
  for (const { id, subscription } of readEntries(entries, 'topics', topicChoice)) {
    const topicId = id.toLowerCase();
    if (choices.has(topicId)) {
      throw ApiError.invalid(`\`topics[${choices.size}].id\` is in the list already. Name each topic once.`);
    }
    choices.set(topicId, { topicId, subscription });
  }
  return [...choices.values()];
}

/**
 * The list in a body that says nothing but choices: `[{id, subscription}]`, which the official client sends, or
 * `{"topics": […]}`, which may say whose they are as well. Its entries are still to be read.
 *
 * @throws ApiError for what holds no list
 */
export function topicChoicesOf(body: object): { topics: TopicChoice[]; own: Repeated } {
  const { topics, ...own } = topicChoices.read(Array.isArray(body) ? { topics: body } : body);
  return { topics: topics as TopicChoice[], own };
}
