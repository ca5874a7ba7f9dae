import { ApiError } from '../../shared/errors/api-error.js';
import { readEntries, readFields } from '../../shared/http/read-fields.js';
import { TopicChoiceDto } from './topic-choice.dto.js';
import { TopicChoicesDto } from './topic-choices.dto.js';
import type { TopicChoice } from './topic-choices.service.js';

/**
 * The entries of the field `topics`, ids in lower case.
 *
 * @throws ApiError for the first entry that is wrong, or that names a topic again
 */
export async function readTopicChoices(entries: readonly unknown[]): Promise<TopicChoice[]> {
  const choices = new Map<string, TopicChoice>();
  for (const { id, subscription } of await readEntries(entries, 'topics', TopicChoiceDto)) {
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
export async function readTopicChoicesBody(body: object): Promise<TopicChoice[]> {
  const { topics } = await readFields(Array.isArray(body) ? { topics: body } : body, TopicChoicesDto);
  return readTopicChoices(topics);
}
