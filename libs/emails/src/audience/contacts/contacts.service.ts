import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { isUniqueViolation } from '../../shared/errors/database-errors.js';
import { ALL, type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { AccountRows, given, type RowKey } from '../../shared/rows/account-rows.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { readChanges, readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, type Repeated, repeatsAny } from '../../shared/validation/repeated.js';
import { ContactEntity } from './contact.entity.js';
import { contactChanges, newContact } from './contact.fields.js';
import { contactKey } from './contact-key.js';
import {
  type ContactPropertyRecords,
  changedProperties,
  MAX_PROPERTIES,
  type PropertyChanges,
  presentProperties,
  shownProperties,
  TOO_MANY,
} from './contact-properties.js';
import { namesContact } from './names-contact.js';
import { readTopicChoices, type TopicChoice } from './read-topic-choices.js';
import { writeTopicChoices } from './write-topic-choices.js';

/** A contact in an answer. */
export interface ContactRecord {
  object: 'contact';
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  unsubscribed: boolean;
  properties: ContactPropertyRecords;
  created_at: string;
}

/** Undefined: as it is, or the default. Null: no name, no properties. */
export interface ContactDetails {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  unsubscribed?: boolean | null | undefined;
  /**
   * Strings of up to 2,000 characters and finite numbers by keys of 1 to 50 letters, digits and underscores, up to 100 for a
   * contact. Those that a change does not name stay; null takes one away. Default: none.
   */
  properties?: PropertyChanges | null | undefined;
}

/** A contact to create, or what to write of the one that has the address already. */
export interface NewContact extends ContactDetails {
  /** One address without a name. */
  email: string;
  /** Choices to add. Default: none. */
  topics?: readonly TopicChoice[] | null | undefined;
}

/** How often a contact is written while other requests create and delete one with the same address. */
const TRIES = 3;

/** Names and addresses are bounded; that of the properties is the larger part. */
const WEIGHT = `octet_length(properties::text) + octet_length(concat(email, first_name, last_name))
  + 40 * (SELECT count(*) FROM jsonb_object_keys(properties))`;

/**
 * The contacts of the accounts, found by id or email, by the rules of `/contacts`. What is undefined here does not exist in
 * the account. A value that breaks a rule is refused with an `ApiError`, an account id that is none with a `TypeError`.
 */
@Injectable()
export class ContactsService {
  private readonly contacts: AccountRows<ContactEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.contacts = new AccountRows(dataSource, ContactEntity);
  }

  /**
   * The contact with this address and its choices, both or neither. Where the account has it already, it keeps its id, its
   * address as it was written first, and what is not given.
   *
   * @throws ApiError 422 when the account does not have one of the topics, or the contact has too many properties then
   */
  async create(accountId: string, values: NewContact): Promise<ContactRecord> {
    checkAccountId(accountId);
    const { email, topics = [], properties = {}, ...details } = readValues(values, newContact);
    const choices = readTopicChoices(topics);
    const { address, envelope } = parseMailbox(email);
    const key = { accountId, emailKey: addressKey(envelope) };
    const columns = columnsOf(details);
    const written = await this.writeOnce(async (manager) => {
      const contact =
        (await this.changeHeld(manager, key, columns, properties)) ??
        (await this.contacts.insert(
          { id: randomUUID(), ...key, email: address, ...columns, properties: presentProperties(properties) },
          manager,
        ));
      await writeTopicChoices(manager, accountId, contact.id, choices);
      return contact;
    });
    return shown(written);
  }

  /** The account's contacts, newest first: all, up to 1,000. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<ContactRecord>> {
    checkAccountId(accountId);
    const page = toPageRequest(query, ALL);
    return toEnvelope(await this.contacts.page(accountId, page, { weight: WEIGHT }), shown);
  }

  /** The contact with this id, or with this email, whatever its letter case. */
  async find(accountId: string, idOrEmail: string): Promise<ContactRecord | undefined> {
    checkAccountId(accountId);
    const contact = await this.contacts.find(accountId, contactKey(idOrEmail));
    return contact && shown(contact);
  }

  /** The contact as it is after the change. @throws ApiError 422 also when it has too many properties then */
  async update(accountId: string, idOrEmail: string, details: ContactDetails): Promise<ContactRecord | undefined> {
    checkAccountId(accountId);
    const changes = readChanges(details, contactChanges);
    const { first_name, last_name, unsubscribed, properties, id, contact_id, email } = changes;
    await this.checkRepeated(accountId, idOrEmail, { id, contact_id, email });
    const columns = columnsOf({ first_name, last_name, unsubscribed: unsubscribed ?? undefined });
    const contact = await this.change(accountId, contactKey(idOrEmail), columns, properties);
    return contact && shown(contact);
  }

  /**
   * The contact's choices go with it: the address is then one of somebody who is not a contact.
   *
   * @returns the id
   */
  async remove(accountId: string, idOrEmail: string): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.contacts.remove(accountId, contactKey(idOrEmail));
  }

  /** Who a contact is never changes, so that it can be looked at beforehand. */
  private async checkRepeated(accountId: string, idOrEmail: string, said: Repeated): Promise<void> {
    const contact = repeatsAny(said) && (await this.find(accountId, idOrEmail));
    if (contact) checkRepeated(said, namesContact(contact));
  }

  private async change(
    accountId: string,
    key: RowKey<ContactEntity>,
    columns: QueryDeepPartialEntity<ContactEntity>,
    properties: PropertyChanges | null | undefined,
  ): Promise<ContactEntity | undefined> {
    if (properties === null) return this.contacts.change(accountId, key, { ...columns, properties: {} });
    if (!properties || !key) return this.contacts.change(accountId, key, columns);
    return this.dataSource.transaction((manager) =>
      this.changeHeld(manager, { ...key, accountId }, columns, properties),
    );
  }

  /** The contact as it is after the change; undefined when there is none. @throws ApiError 422 for too many properties */
  private async changeHeld(
    manager: EntityManager,
    where: FindOptionsWhere<ContactEntity> & { accountId: string },
    columns: QueryDeepPartialEntity<ContactEntity>,
    properties: PropertyChanges,
  ): Promise<ContactEntity | undefined> {
    const held = await manager.findOne(ContactEntity, { where, lock: { mode: 'for_no_key_update' } });
    if (!held) return undefined;
    const changed = changedProperties(held.properties, properties);
    if (Object.keys(changed).length > MAX_PROPERTIES) throw ApiError.invalid(`\`properties\` ${TOO_MANY}.`);
    return this.contacts.change(where.accountId, { id: held.id }, { ...columns, properties: changed }, manager);
  }

  /** Writes again when another request has created a contact with the same address meanwhile. @throws ApiError 503 */
  private async writeOnce(write: (manager: EntityManager) => Promise<ContactEntity>): Promise<ContactEntity> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.dataSource.transaction(write);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        if (tries === TRIES) throw ApiError.locked();
      }
    }
  }
}

function columnsOf({
  first_name,
  last_name,
  unsubscribed,
}: {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  unsubscribed?: boolean | undefined;
}) {
  return given({ firstName: first_name, lastName: last_name, unsubscribed });
}

function shown(contact: ContactEntity): ContactRecord {
  const { id, email, firstName, lastName, unsubscribed, properties, createdText } = contact;
  return {
    object: 'contact',
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    unsubscribed,
    properties: shownProperties(properties),
    created_at: createdText,
  };
}
