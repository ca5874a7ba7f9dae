import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { asId } from '../../shared/rows/account-row.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { readChanges, readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import type { Subscription } from './subscription.js';
import { TopicEntity } from './topic.entity.js';
import { newTopic, topicChanges } from './topic.fields.js';
import type { Visibility } from './visibility.js';

/** A topic in an answer. */
export interface TopicRecord {
  object: 'topic';
  id: string;
  name: string;
  description: string | null;
  default_subscription: Subscription;
  visibility: Visibility;
  created_at: string;
}

/** A topic that is to be made. */
export interface NewTopic {
  /** One line of 1 to 50 characters. */
  name: string;
  /** Up to 200 characters. Default: null. */
  description?: string | null | undefined;
  default_subscription: Subscription;
  /** Default: `private`. */
  visibility?: Visibility | null | undefined;
}

/** Undefined: as it is. */
export interface TopicChanges {
  name?: string | null | undefined;
  /** Null: none. */
  description?: string | null | undefined;
  visibility?: Visibility | null | undefined;
  /** The topic's own, which some clients repeat. */
  id?: string | null | undefined;
}

/**
 * The topics of the accounts, by the rules of `/topics`. What is undefined here does not exist in the account. A value that
 * breaks a rule is refused with an `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class TopicsService {
  private readonly topics: AccountRows<TopicEntity>;

  constructor(dataSource: DataSource) {
    this.topics = new AccountRows(dataSource, TopicEntity);
  }

  /** A new topic. */
  async create(accountId: string, values: NewTopic): Promise<TopicRecord> {
    checkAccountId(accountId);
    const { name, description = null, default_subscription, visibility } = readValues(values, newTopic);
    const topic = { id: randomUUID(), accountId, name, description, defaultSubscription: default_subscription };
    return shown(await this.topics.insert({ ...topic, ...given({ visibility }) }));
  }

  /** The account's topics, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<TopicRecord>> {
    checkAccountId(accountId);
    const page = toPageRequest(query);
    return toEnvelope(await this.topics.page(accountId, page), shown);
  }

  /** The topic with this id. */
  async find(accountId: string, id: string): Promise<TopicRecord | undefined> {
    checkAccountId(accountId);
    const topic = await this.topics.find(accountId, asId(id));
    return topic && shown(topic);
  }

  /** The topic as it is after the change. */
  async update(accountId: string, id: string, changes: TopicChanges): Promise<TopicRecord | undefined> {
    checkAccountId(accountId);
    const { name, description, visibility, id: own, topic_id } = readChanges(changes, topicChanges);
    checkRepeated({ id: own, topic_id }, isSameId(id));
    const columns = given({ name: name ?? undefined, description, visibility: visibility ?? undefined });
    const topic = await this.topics.change(accountId, asId(id), columns);
    return topic && shown(topic);
  }

  /**
   * The choices made for the topic go with it. Emails of this topic that still wait will reach nobody.
   *
   * @returns the id
   */
  async remove(accountId: string, id: string): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.topics.remove(accountId, asId(id));
  }
}

function shown(topic: TopicEntity): TopicRecord {
  const { id, name, description, defaultSubscription, visibility, createdText } = topic;
  return {
    object: 'topic',
    id,
    name,
    description,
    default_subscription: defaultSubscription,
    visibility,
    created_at: createdText,
  };
}
