import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TopicDecision, TopicPolicy } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicEntity } from '../topics/topic.entity.js';

/** Choices of one address. */
interface Standing {
  /** Null: the topic does not exist. */
  default_subscription: Subscription | null;
  /** Null: not a contact. */
  unsubscribed: boolean | null;
  /** Null: no choice. */
  subscription: Subscription | null;
}

/**
 * The topic rule (contract, section 2.3), decided from the current topics, contacts and choices. A contact with the
 * global flag `unsubscribed` counts as opted out of every topic, also of an explicitly chosen one. The rule does not
 * apply to emails without a topic.
 */
@Injectable()
export class ContactTopicPolicy implements TopicPolicy {
  constructor(private readonly dataSource: DataSource) {}

  async exists(accountId: string, topicId: string): Promise<boolean> {
    checkAccountId(accountId);
    const topic = { id: topicId, accountId };
    return isUuid(topicId) && onMaster(this.dataSource, (manager) => manager.existsBy(TopicEntity, topic));
  }

  async decide(accountId: string, topicId: string, addresses: readonly string[]): Promise<TopicDecision[]> {
    checkAccountId(accountId);
    const standings = await this.dataSource.query<Standing[]>(
      `SELECT topics.default_subscription, contacts.unsubscribed, topic_choices.subscription
       FROM unnest($3::text[]) WITH ORDINALITY AS asked (email_key, place)
       LEFT JOIN ${SCHEMA}.topics ON topics.id = $2 AND topics.account_id = $1
       LEFT JOIN ${SCHEMA}.contacts ON contacts.account_id = $1 AND contacts.email_key = asked.email_key
       LEFT JOIN ${SCHEMA}.topic_choices ON topic_choices.contact_id = contacts.id AND topic_choices.topic_id = topics.id
       ORDER BY asked.place`,
      [accountId, topicId, addresses.map(addressKey)],
    );
    return standings.map((standing) => {
      const reason = objectionOf(standing);
      return reason === undefined ? { allowed: true } : { allowed: false, reason };
    });
  }
}

function objectionOf({ default_subscription, unsubscribed, subscription }: Standing): string | undefined {
  if (default_subscription === null) {
    return 'The topic does not exist any more.';
  }
  if (unsubscribed) {
    return 'The contact is unsubscribed from all topics.';
  }
  if (subscription === 'opt_out') {
    return 'The contact opted out of the topic.';
  }
  if (subscription === 'opt_in' || default_subscription === 'opt_in') {
    return undefined;
  }
  return unsubscribed === null
    ? 'The topic is sent only to contacts who opted in, and the recipient is not a contact.'
    : 'The topic is sent only to contacts who opted in, and the contact did not.';
}
