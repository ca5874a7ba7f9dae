import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { asId } from '../../shared/rows/account-row.js';
import type { RowKey } from '../../shared/rows/account-rows.js';
import { onMaster } from '../../shared/rows/on-master.js';
import type { ListEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicsService } from '../topics/topics.service.js';
import { ContactEntity } from './contact.entity.js';
import { contactKey } from './contact-key.js';
import { readTopicChoices, type TopicChoice } from './read-topic-choices.js';
import { refuseUnknownContact } from './refuse-unknown-contact.js';
import { TopicChoiceEntity } from './topic-choice.entity.js';
import { writeTopicChoices } from './write-topic-choices.js';

/** A topic as it is for one contact: its choice, or else the topic's default. */
export interface ContactTopicRecord {
  id: string;
  name: string;
  description: string | null;
  subscription: Subscription;
  /** Of the topic. */
  created_at: string;
}

/** What came of choices. */
export interface ChosenTopics {
  object: 'contact_topics';
  /** The contact's, as `contact_id` is. */
  id: string;
  contact_id: string;
  /** Those that were named, in this order. */
  topics: ContactTopicRecord[];
}

/**
 * What the contacts said of the topics, by the rules of `/contacts/:id/topics`. A value that breaks a rule is refused with an
 * `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class TopicChoicesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly topics: TopicsService,
  ) {}

  /**
   * Every topic of the account, as it is for a contact of the account.
   *
   * @throws ApiError 404 for what cannot be the id of a contact, 422 when the cursor is no topic of the account
   */
  async list(accountId: string, contactId: string, query: PageQuery = {}): Promise<ListEnvelope<ContactTopicRecord>> {
    checkAccountId(accountId);
    toPageRequest(query);
    if (!asId(contactId)) refuseUnknownContact();
    const topics = await this.topics.list(accountId, query);
    const topicId = In(topics.data.map(({ id }) => id));
    const choices = await onMaster(this.dataSource, (manager) =>
      manager.findBy(TopicChoiceEntity, { contactId, topicId }),
    );
    const chosen = new Map(choices.map((choice) => [choice.topicId, choice.subscription]));
    const data = topics.data.map(({ id, name, description, default_subscription, created_at }) => ({
      id,
      name,
      description,
      subscription: chosen.get(id) ?? default_subscription,
      created_at,
    }));
    return { ...topics, data };
  }

  /**
   * Writes choices, all or none. Topics that are not named keep theirs.
   *
   * @returns undefined when there is no such contact
   * @throws ApiError 422 for a topic that the account does not have
   */
  async choose(
    accountId: string,
    idOrEmail: string,
    choices: readonly TopicChoice[],
  ): Promise<ChosenTopics | undefined> {
    checkAccountId(accountId);
    const known = readTopicChoices(choices);
    return this.dataSource.transaction(async (manager) => {
      const id = await lockContact(manager, accountId, contactKey(idOrEmail));
      if (id === undefined) return undefined;
      const chosen = await writeTopicChoices(manager, accountId, id, known);
      const topics = chosen.map((topic, at) => ({
        id: topic.id,
        name: topic.name,
        description: topic.description,
        subscription: known[at]?.subscription ?? topic.defaultSubscription,
        created_at: topic.createdText,
      }));
      return { object: 'contact_topics', id, contact_id: id, topics };
    });
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
