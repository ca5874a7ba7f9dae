import { Injectable } from '@nestjs/common';
import { ApiError, type ListEnvelope, type PageRequest } from 'nestjs-emails';
import { DataSource, type EntityManager } from 'typeorm';
import type { RowKey } from '../../shared/rows/account-rows.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicsService } from '../topics/topics.service.js';

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
    const choices = await this.dataSource.query<{ topic_id: string; subscription: Subscription }[]>(
      'SELECT topic_id, subscription FROM topic_choices WHERE contact_id = $1 AND topic_id = ANY($2::uuid[])',
      [contactId, topics.data.map(({ id }) => id)],
    );
    const chosen = new Map(choices.map(({ topic_id, subscription }) => [topic_id, subscription]));
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
  choose(accountId: string, contact: RowKey, choices: readonly TopicChoice[]): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const id = await lockContact(manager, accountId, contact);
      if (id !== undefined) {
        await this.write(manager, accountId, id, choices);
      }
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
    // In one order, so that two requests for the same contact wait for each other instead of crossing.
    const topicIds = choices.map(({ topicId }) => topicId).sort();
    const topics = await manager.query<{ id: string }[]>(
      'SELECT id FROM topics WHERE account_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE',
      [accountId, topicIds],
    );
    const known = new Set(topics.map(({ id }) => id));
    const unknown = choices.findIndex(({ topicId }) => !known.has(topicId));
    if (unknown >= 0) {
      throw ApiError.invalid(`\`topics[${unknown}].id\` must be the id of a topic.`);
    }
    const chosen = new Map(choices.map(({ topicId, subscription }) => [topicId, subscription]));
    await manager.query(
      `INSERT INTO topic_choices (contact_id, topic_id, subscription)
       SELECT $1::uuid, * FROM unnest($2::uuid[], $3::text[])
       ON CONFLICT (contact_id, topic_id) DO UPDATE SET subscription = EXCLUDED.subscription`,
      [contactId, topicIds, topicIds.map((id) => chosen.get(id))],
    );
  }
}

/** The id of a contact that stays until the transaction ends. */
async function lockContact(manager: EntityManager, accountId: string, key: RowKey): Promise<string | undefined> {
  if (key === undefined) {
    return undefined;
  }
  const [contact] = await manager.query<{ id: string }[]>(
    `SELECT id FROM contacts WHERE account_id = $1 AND ${key.column} = $2 FOR KEY SHARE`,
    [accountId, key.value],
  );
  return contact?.id;
}
