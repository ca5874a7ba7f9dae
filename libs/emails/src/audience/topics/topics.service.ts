import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { asId } from '../../shared/rows/account-row.js';
import { changeRow, findRow, given, removeRow } from '../../shared/rows/change-row.js';
import { keysetPage } from '../../shared/rows/keyset-page.js';
import { type ListEnvelope, type PageRequest, toEnvelope } from '../../shared/rows/page.js';
import type { Subscription } from './subscription.js';
import { TopicEntity } from './topic.entity.js';

/** A topic in an answer. */
export interface TopicRecord {
  object: 'topic';
  id: string;
  name: string;
  description: string | null;
  default_subscription: Subscription;
  created_at: string;
}

/** The topics of the accounts. What is undefined here does not exist in the account. */
@Injectable()
export class TopicsService {
  private readonly topics: Repository<TopicEntity>;

  constructor(dataSource: DataSource) {
    this.topics = dataSource.getRepository(TopicEntity);
  }

  /** A new topic. */
  async create(
    accountId: string,
    { name, description, default_subscription }: Pick<TopicRecord, 'name' | 'description' | 'default_subscription'>,
  ): Promise<TopicRecord> {
    const id = randomUUID();
    await this.topics.insert({ id, accountId, name, description, defaultSubscription: default_subscription });
    return shown(await this.topics.findOneByOrFail({ id }));
  }

  /** The account's topics, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, page: PageRequest): Promise<ListEnvelope<TopicRecord>> {
    return toEnvelope(await keysetPage(this.topics, accountId, page), shown);
  }

  /** The topic with this id. */
  async find(accountId: string, id: string): Promise<TopicRecord | undefined> {
    const topic = await findRow(this.topics, accountId, asId(id));
    return topic && shown(topic);
  }

  /** The topic as it is after the change. A field that is undefined stays as it is. */
  async update(
    accountId: string,
    id: string,
    { name, description }: { name?: string | undefined; description?: string | null | undefined },
  ): Promise<TopicRecord | undefined> {
    const topic = await changeRow(this.topics, accountId, asId(id), given({ name, description }));
    return topic && shown(topic);
  }

  /**
   * The choices made for the topic go with it. Emails of this topic that still wait will reach nobody.
   *
   * @returns the id
   */
  remove(accountId: string, id: string): Promise<string | undefined> {
    return removeRow(this.topics, accountId, asId(id));
  }
}

function shown({ id, name, description, defaultSubscription, createdText }: TopicEntity): TopicRecord {
  return {
    object: 'topic',
    id,
    name,
    description,
    default_subscription: defaultSubscription,
    created_at: createdText,
  };
}
