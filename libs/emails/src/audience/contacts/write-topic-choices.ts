import { type EntityManager, In } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { findRows } from '../../shared/rows/find-rows.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicEntity } from '../topics/topic.entity.js';
import type { KnownChoice } from './read-topic-choices.js';
import { TopicChoiceEntity } from './topic-choice.entity.js';

/**
 * Writes the choices of a contact, all or none, in a transaction that created or locked the contact. Topics that are
 * not named keep their choices.
 *
 * @returns the topics that were named, in this order
 * @throws ApiError 422 for a topic that the account does not have
 */
export async function writeTopicChoices(
  manager: EntityManager,
  accountId: string,
  contactId: string,
  choices: readonly KnownChoice[],
): Promise<TopicEntity[]> {
  if (choices.length === 0) return [];
  const chosen = new Map(choices.map(({ topicId, subscription }) => [topicId, subscription]));
  const topics = await findRows(manager.getRepository(TopicEntity), {
    where: { accountId, id: In([...chosen.keys()]) },
    // Sorted, so that two requests for the same contact wait for each other instead of deadlocking.
    order: { id: 'ASC' },
    lock: { mode: 'for_key_share' },
  });
  const known = new Map(topics.map((topic) => [topic.id, topic]));
  const unknown = choices.findIndex(({ topicId }) => !known.has(topicId));
  if (unknown >= 0) throw ApiError.invalid(`\`topics[${unknown}].id\` must be the id of a topic.`);
  const rows = topics.map(({ id }) => ({ contactId, topicId: id, subscription: chosen.get(id) as Subscription }));
  await manager
    .createQueryBuilder()
    .insert()
    .into(TopicChoiceEntity)
    .values(rows)
    .orUpdate(['subscription'], ['contact_id', 'topic_id'])
    .updateEntity(false)
    .callListeners(false)
    .execute();
  return choices.map(({ topicId }) => known.get(topicId) as TopicEntity);
}
