import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { asId } from '../../shared/rows/account-row.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
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
  private readonly topics: AccountRows<TopicEntity>;

  constructor(dataSource: DataSource) {
    this.topics = new AccountRows(dataSource, TopicEntity);
  }

  /** A new topic. */
  async create(
    accountId: string,
    { name, description, default_subscription }: Pick<TopicRecord, 'name' | 'description' | 'default_subscription'>,
  ): Promise<TopicRecord> {
    const topic = { id: randomUUID(), accountId, name, description, defaultSubscription: default_subscription };
    return shown(await this.topics.insert(topic));
  }

  /** The account's topics, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, page: PageRequest): Promise<ListEnvelope<TopicRecord>> {
    return toEnvelope(await this.topics.page(accountId, page), shown);
  }

  /** The topic with this id. */
  async find(accountId: string, id: string): Promise<TopicRecord | undefined> {
    const topic = await this.topics.find(accountId, asId(id));
    return topic && shown(topic);
  }

  /** The topic as it is after the change. A field that is undefined stays as it is. */
  async update(
    accountId: string,
    id: string,
    { name, description }: { name?: string | undefined; description?: string | null | undefined },
  ): Promise<TopicRecord | undefined> {
    const topic = await this.topics.change(accountId, asId(id), given({ name, description }));
    return topic && shown(topic);
  }

  /**
   * The choices made for the topic go with it. Emails of this topic that still wait will reach nobody.
   *
   * @returns the id
   */
  remove(accountId: string, id: string): Promise<string | undefined> {
    return this.topics.remove(accountId, asId(id));
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
