import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import type { RowKey } from '../../shared/rows/account-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import type { ListEnvelope, PageRequest } from '../../shared/rows/page.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicEntity } from '../topics/topic.entity.js';
import { TopicsService } from '../topics/topics.service.js';
import { ContactEntity } from './contact.entity.js';
import { contactKey } from './contact-key.js';
import { TopicChoiceEntity } from './topic-choice.entity.js';

/** What a contact says of a topic. */
export interface TopicChoice {
  /** In lower case. */
  topicId: string;
  subscription: Subscription;
}

/** A topic as it is for one contact: its choice, or else the topic's default. */
export interface ContactTopicRecord {
  id: string;
  name: string;
  description: string | null;
  subscription: Subscription;
}

/** What the contacts said of the topics. */
@Injectable()
export class TopicChoicesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly topics: TopicsService,
  ) {}

  /** Every topic of the account, as it is for a contact of the account. */
  async list(accountId: string, contactId: string, page: PageRequest): Promise<ListEnvelope<ContactTopicRecord>> {
    const topics = await this.topics.list(accountId, page);
    const topicId = In(topics.data.map(({ id }) => id));
    const choices = await onMaster(this.dataSource, (manager) =>
      manager.findBy(TopicChoiceEntity, { contactId, topicId }),
    );
    const chosen = new Map(choices.map((choice) => [choice.topicId, choice.subscription]));
    const data = topics.data.map(({ id, name, description, default_subscription }) => ({
      id,
      name,
      description,
      subscription: chosen.get(id) ?? default_subscription,
    }));
    return { ...topics, data };
  }

  /**
   * Writes choices, all or none. Topics that are not named keep theirs.
   *
   * @returns the contact's id; undefined when there is none
   * @throws ApiError 422 for a topic that the account does not have
   */
  choose(accountId: string, idOrEmail: string, choices: readonly TopicChoice[]): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const id = await lockContact(manager, accountId, contactKey(idOrEmail));
      if (id !== undefined) await this.write(manager, accountId, id, choices);
      return id;
    });
  }

  /** The same within a transaction that made the contact or holds it. */
  async write(
    manager: EntityManager,
    accountId: string,
    contactId: string,
    choices: readonly TopicChoice[],
  ): Promise<void> {
    if (choices.length === 0) return;
    // In one order, so that two requests for the same contact wait for each other instead of crossing.
    const topicIds = choices.map(({ topicId }) => topicId).sort();
    const topics = await manager.find(TopicEntity, {
      select: { id: true },
      where: { accountId, id: In(topicIds) },
      order: { id: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
    const known = new Set(topics.map(({ id }) => id));
    const unknown = choices.findIndex(({ topicId }) => !known.has(topicId));
    if (unknown >= 0) throw ApiError.invalid(`\`topics[${unknown}].id\` must be the id of a topic.`);
    const chosen = new Map(choices.map(({ topicId, subscription }) => [topicId, subscription]));
    const rows = topics.map(({ id }) => ({ contactId, topicId: id, subscription: chosen.get(id) as Subscription }));
    await manager.upsert(TopicChoiceEntity, rows, ['contactId', 'topicId']);
  }
}

/** The id of a contact that stays until the transaction ends. */
async function lockContact(
  manager: EntityManager,
  accountId: string,
  key: RowKey<ContactEntity>,
): Promise<string | undefined> {
  if (!key) return undefined;
  const contact = await manager.findOne(ContactEntity, {
    select: { id: true },
    where: { ...key, accountId },
    lock: { mode: 'for_key_share' },
  });
  return contact?.id;
}
