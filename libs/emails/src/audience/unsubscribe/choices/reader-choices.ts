import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { TopicRecipient } from '../../../index.js';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { onMaster } from '../../../shared/rows/on-master.js';
import type { Subscription } from '../../topics/subscription.js';
import * as sql from './reader-choices.sql.js';
import type { ReaderState } from './reader-topic.js';
import { Unlocked } from './unlocked.js';

/** A person with an unsubscribe link. */
export type Reader = Omit<TopicRecipient, 'emailId'>;

interface StateRow {
  unsubscribed: boolean;
  id: string | null;
  name: string;
  description: string | null;
  subscription: Subscription;
  isOfEmail: boolean;
}

/**
 * The choices of people who follow an unsubscribe link. A reader without a contact becomes one with the first choice. Each
 * change is idempotent, and is published like one by the API (`contact.topics.updated`, `contact.updated`).
 */
@Injectable()
export class ReaderChoices {
  private readonly unlocked: Unlocked;

  constructor(private readonly dataSource: DataSource) {
    this.unlocked = new Unlocked(dataSource);
  }

  /**
   * Opts the reader out of the topic of the link.
   *
   * @returns the topic's name; undefined when it was deleted, and nothing changes: its emails reach nobody
   * @throws ApiError 503 while others lock the reader's rows
   */
  optOut(reader: Reader): Promise<string | undefined> {
    return this.choose(reader, reader.topicId, 'opt_out');
  }

  /**
   * Writes a choice. A reader who gets nothing at all and opts in to one topic is opted out of all others explicitly.
   *
   * @returns the topic's name; undefined when the account has no such topic, or the reader may not opt in to it: only a
   * public one, or that of the link
   * @throws ApiError 503 while others lock the reader's rows
   */
  choose(reader: Reader, topicId: string, subscription: Subscription): Promise<string | undefined> {
    const { accountId } = reader;
    return this.unlocked.change(accountId, async (manager) => {
      const [topic] = await manager.query<{ name: string; isOpen: boolean }[]>(sql.TOPIC, [
        accountId,
        topicId,
        reader.topicId,
      ]);
      if (!topic || (subscription === 'opt_in' && !topic.isOpen)) return undefined;
      const contactId = await contactOf(manager, reader);
      if (subscription === 'opt_in') {
        const values = [contactId, accountId, topicId];
        const [back] = await manager.query<[rows: unknown[], count: number]>(sql.COME_BACK, [contactId]);
        if (back.length > 0) await manager.query(sql.OPT_OUT_OF_OTHERS, values);
      }
      await manager.query(sql.CHOOSE, [contactId, topicId, subscription]);
      return topic.name;
    });
  }

  /**
   * Opts the reader out of everything: each topic, and `unsubscribed`. Nobody becomes a contact of an account without topics:
   * it may be one that was deleted.
   *
   * @throws ApiError 503 while others lock the reader's rows
   */
  optOutOfAll(reader: Reader): Promise<void> {
    const { accountId, address } = reader;
    return this.unlocked.change(accountId, async (manager) => {
      const [known] = await manager.query<object[]>(sql.HAS_CHOICES, [accountId, addressKey(address)]);
      if (!known) return;
      const contactId = await contactOf(manager, reader);
      await manager.query(sql.LEAVE, [contactId]);
      await manager.query(sql.OPT_OUT_OF_OTHERS, [contactId, accountId, null]);
    });
  }

  /** The choices of a reader. Changes nothing. */
  async stateOf({ accountId, address, topicId }: Reader): Promise<ReaderState> {
    const values = [accountId, addressKey(address), topicId];
    const rows = await onMaster(this.dataSource, (manager) => manager.query<StateRow[]>(sql.STATE, values));
    const isOutOfAll = rows.some(({ unsubscribed }) => unsubscribed);
    const topics = rows.flatMap(({ id, name, description, subscription, isOfEmail }) =>
      id === null ? [] : [{ id, name, description, isSubscribed: !isOutOfAll && subscription === 'opt_in', isOfEmail }],
    );
    return { topics, isOutOfAll };
  }
}

/** The id of the reader's contact, which is there until the transaction ends. */
async function contactOf(manager: EntityManager, { accountId, address }: Reader): Promise<string> {
  const emailKey = addressKey(address);
  for (;;) {
    const [contact] = await manager.query<{ id: string }[]>(sql.CONTACT, [accountId, emailKey]);
    if (contact) return contact.id;
    // Another request may create it at the same time, or delete it.
    await manager.query(sql.NEW_CONTACT, [randomUUID(), accountId, address, emailKey]);
  }
}
