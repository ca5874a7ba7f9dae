import { ApiError } from '../../shared/errors/api-error.js';
import { readEntries } from '../../shared/validation/read-fields.js';
import { topicChoice, topicChoices } from './contact.fields.js';
import type { TopicChoice } from './write-topic-choices.js';

/**
 * The entries of the field `topics`, ids in lower case.
 *
 * @throws ApiError for the first entry that is wrong, or that names a topic again
 */
export function readTopicChoices(entries: readonly unknown[]): TopicChoice[] {
  const choices = new Map<string, TopicChoice>();
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
 * A body that says nothing but choices: `[{id, subscription}]`, which the official client sends, or `{"topics": […]}`.
 *
 * @throws ApiError for the first rule that is broken
 */
export function readTopicChoicesBody(body: object): TopicChoice[] {
  const { topics } = topicChoices.read(Array.isArray(body) ? { topics: body } : body);
  return readTopicChoices(topics);
}
