import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../shared/callers/caller.js';
import type { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { askedBy, given } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, isSameId } from '../../shared/validation/repeated.js';
import { CreateTopicDto } from './create-topic.dto.js';
import type { TopicDto } from './topic.dto.js';
import { TopicEntity } from './topic.entity.js';
import type { TopicListDto } from './topic-list.dto.js';
import { TopicsRepository } from './topics.repository.js';
import { UpdateTopicDto } from './update-topic.dto.js';

/** A topic to create. */
export type NewTopic = Given<CreateTopicDto, 'name' | 'default_subscription'>;

/** Undefined: as it is. */
export type TopicChanges = Given<UpdateTopicDto>;

/**
 * The topics of the accounts, by the rules of `/topics`. Methods resolve to undefined for a topic that the account does
 * not have. A value that breaks a rule is refused with an `ApiError`, an invalid account id with a `TypeError`.
 *
 * @example
 * ```ts
 * const { id } = await app.get(TopicsService).create('acme', { name: 'News', default_subscription: 'opt_in' });
 * ```
 */
@Injectable()
export class TopicsService {
  constructor(private readonly topics: TopicsRepository) {}

  /** A new topic. */
  async create(accountId: string, values: NewTopic, caller?: Caller): Promise<TopicDto> {
    checkAccountId(accountId);
    const { name, description = null, default_subscription, visibility } = readValues(values, CreateTopicDto);
    const topic = { id: randomUUID(), accountId, name, description, defaultSubscription: default_subscription };
    const columns = { ...topic, ...given({ visibility }) };
    const insert = (manager?: EntityManager) => this.topics.insert(columns, manager);
    return shown(await this.topics.recorded(caller, 'topic.create', insert));
  }

  /** The account's topics, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQueryDto = {}): Promise<TopicListDto> {
    checkAccountId(accountId);
    const page = toPageRequest(query);
    return toEnvelope(await this.topics.page(accountId, page), shown);
  }

  /** The topic with this id. */
  async find(accountId: string, id: string): Promise<TopicDto | undefined> {
    checkAccountId(accountId);
    const topic = await this.topics.find(accountId, asId(id));
    return topic && shown(topic);
  }

  /** The topic after the change. */
  async update(accountId: string, id: string, changes: TopicChanges, caller?: Caller): Promise<TopicDto | undefined> {
    checkAccountId(accountId);
    const { name, description, visibility, id: own, topic_id } = readValues(changes, UpdateTopicDto);
    checkRepeated({ id: own, topic_id }, isSameId(id));
    const columns = given({ name: name ?? undefined, description, visibility: visibility ?? undefined });
    const topic = await this.topics.recorded(askedBy(caller, columns), 'topic.update', (manager) =>
      this.topics.change(accountId, asId(id), columns, manager),
    );
    return topic && shown(topic);
  }

  /**
   * Deletes the topic and the choices on it. Pending emails of this topic will reach no recipient.
   *
   * @returns the id
   */
  async remove(accountId: string, id: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.topics.recorded(caller, 'topic.delete', (manager) => this.topics.remove(accountId, asId(id), manager));
  }
}

function shown(topic: TopicEntity): TopicDto {
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
