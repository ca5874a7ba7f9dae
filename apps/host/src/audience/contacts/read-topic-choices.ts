import { ApiError } from 'nestjs-emails';
import { readEntries } from '../../shared/http/read-entries.js';
import { TopicChoiceDto } from './topic-choice.dto.js';
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
