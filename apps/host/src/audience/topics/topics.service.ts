import { Injectable } from '@nestjs/common';
import type { ListEnvelope, PageRequest } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { AccountRows, byId } from '../../shared/rows/account-rows.js';
import { timestampSql } from '../../shared/rows/list-page.js';
import type { Subscription } from './subscription.js';

/** A topic in an answer. */
export interface TopicRecord {
  object: 'topic';
  id: string;
  name: string;
  description: string | null;
  default_subscription: Subscription;
  created_at: string;
}

const TOPICS = {
  table: 'topics',
  columns: `'topic' AS object, id, name, description, default_subscription, ${timestampSql('created_at')} AS created_at`,
};

/** The topics of the accounts. What is undefined here does not exist in the account. */
@Injectable()
export class TopicsService {
  private readonly rows: AccountRows<TopicRecord>;

  constructor(dataSource: DataSource) {
    this.rows = new AccountRows(dataSource, TOPICS);
  }

  create(
    accountId: string,
    topic: Pick<TopicRecord, 'name' | 'description' | 'default_subscription'>,
  ): Promise<TopicRecord> {
    return this.rows.insert(accountId, topic);
  }

  list(accountId: string, page: PageRequest): Promise<ListEnvelope<TopicRecord>> {
    return this.rows.list(accountId, page);
  }

  find(accountId: string, id: string): Promise<TopicRecord | undefined> {
    return this.rows.find(accountId, byId(id));
  }

  /** @param changes an undefined field stays as it is */
  update(
    accountId: string,
    id: string,
    changes: { name: string | undefined; description: string | null | undefined },
  ): Promise<TopicRecord | undefined> {
    return this.rows.update(accountId, byId(id), changes);
  }

  /**
   * The choices made for the topic go with it. Emails of this topic that still wait will reach nobody.
   *
   * @returns the id
   */
  remove(accountId: string, id: string): Promise<string | undefined> {
    return this.rows.remove(accountId, byId(id));
  }
}
