import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { isUniqueViolation } from '../../shared/errors/database-errors.js';
import { ALL } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { readQuery } from '../../shared/http/query.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { askedBy, given, type RowKey } from '../../shared/rows/account.repository.js';
import { findRows } from '../../shared/rows/find-rows.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import type { Given } from '../../shared/validation/given.js';
import { readValues } from '../../shared/validation/read-fields.js';
import { checkRepeated, type Repeated, repeatsAny } from '../../shared/validation/repeated.js';
import { AUDIENCE_LIMITS } from '../limits.js';
import type { ContactDto } from './contact.dto.js';
import { ContactEntity } from './contact.entity.js';
import { contactKey } from './contact-key.js';
import type { ContactListDto } from './contact-list.dto.js';
import {
  changedProperties,
  type PropertyChanges,
  presentProperties,
  shownProperties,
  TOO_MANY,
} from './contact-properties.js';
import { ContactsRepository } from './contacts.repository.js';
import { CreateContactDto } from './create-contact.dto.js';
import { ListContactsQueryDto } from './list-contacts-query.dto.js';
import { namesContact } from './names-contact.js';
import { knownChoices } from './read-topic-choices.js';
import { UpdateContactDto } from './update-contact.dto.js';
import { writeTopicChoices } from './write-topic-choices.js';

/** Undefined: as it is. Null: no name, no properties. */
export type ContactChanges = Given<UpdateContactDto>;

/** A contact to create, or fields to write to the contact that has the address already. */
export type NewContact = Given<CreateContactDto, 'email'>;

/** Attempts to write a contact while other requests create and delete one with the same address. */
const TRIES = 3;

/** Names and addresses are bounded; the properties are the larger part. */
const WEIGHT = `octet_length(properties::text) + octet_length(concat(email, first_name, last_name))
  + 40 * (SELECT count(*) FROM jsonb_object_keys(properties))`;

/**
 * The contacts of the accounts, found by id or email, by the rules of `/contacts`. Methods resolve to undefined for a
 * contact that the account does not have. A value that breaks a rule is refused with an `ApiError`, an invalid account
 * id with a `TypeError`.
 *
 * @example
 * ```ts
 * const contacts = app.get(ContactsService);
 * await contacts.create('acme', { email: 'jane@example.com', first_name: 'Jane' });
 * await contacts.update('acme', 'jane@example.com', { unsubscribed: true });
 * ```
 */
@Injectable()
export class ContactsService {
  constructor(private readonly contacts: ContactsRepository) {}

  /**
   * The contact with this address and its choices, both or neither. An existing contact keeps its id, the first
   * spelling of its address, and the fields that are not given.
   *
   * @throws ApiError 422 when the account does not have one of the topics, or the contact would have too many
   * properties
   */
  async create(accountId: string, values: NewContact, caller?: Caller): Promise<ContactDto> {
    checkAccountId(accountId);
    const { email, topics = [], properties, ...details } = readValues(values, CreateContactDto);
    const choices = knownChoices(topics);
    const { address, envelope } = parseMailbox(email);
    const key = { accountId, emailKey: addressKey(envelope) };
    const columns = columnsOf(details);
    const written = await this.writeOnce(async (manager) => {
      const contact =
        (await this.changeHeld(manager, key, columns, properties ?? {})) ??
        (await this.contacts.insert(
          { id: randomUUID(), ...key, email: address, ...columns, properties: presentProperties(properties ?? {}) },
          manager,
        ));
      await writeTopicChoices(manager, accountId, contact.id, choices);
      await this.contacts.noteAction(caller, 'contact.create', contact.id, manager);
      return contact;
    });
    return shown(written);
  }

  /** The account's contacts, newest first: all, up to 1,000. @throws ApiError 422 for a segment, and for an unknown cursor */
  async list(accountId: string, query: ListContactsQueryDto = {}): Promise<ContactListDto> {
    checkAccountId(accountId);
    const page = toPageRequest(readQuery(ListContactsQueryDto, { ...query }), ALL);
    return toEnvelope(await this.contacts.page(accountId, page, { weight: WEIGHT }), shown);
  }

  /** The contact with this id, or with this email, whatever its letter case. */
  async find(accountId: string, idOrEmail: string): Promise<ContactDto | undefined> {
    checkAccountId(accountId);
    const contact = await this.contacts.find(accountId, contactKey(idOrEmail));
    return contact && shown(contact);
  }

  /** The contact after the change. @throws ApiError 422 also when it would have too many properties */
  async update(
    accountId: string,
    idOrEmail: string,
    details: ContactChanges,
    caller?: Caller,
  ): Promise<ContactDto | undefined> {
    checkAccountId(accountId);
    const changes = readValues(details, UpdateContactDto);
    const { first_name, last_name, unsubscribed, properties, id, contact_id, email } = changes;
    await this.checkRepeated(accountId, idOrEmail, { id, contact_id, email });
    const columns = columnsOf({ first_name, last_name, unsubscribed: unsubscribed ?? undefined });
    const asked = askedBy(caller, given({ ...columns, properties }));
    const contact = await this.contacts.recorded(asked, 'contact.update', (manager) =>
      this.change(accountId, contactKey(idOrEmail), columns, properties, manager),
    );
    return contact && shown(contact);
  }

  /**
   * Deletes the contact and its choices. The address then counts as one without a contact.
   *
   * @returns the id
   */
  async remove(accountId: string, idOrEmail: string, caller?: Caller): Promise<string | undefined> {
    checkAccountId(accountId);
    return this.contacts.recorded(caller, 'contact.delete', (manager) =>
      this.contacts.remove(accountId, contactKey(idOrEmail), manager),
    );
  }

  /** A contact's address never changes, so that it can be read beforehand. */
  private async checkRepeated(accountId: string, idOrEmail: string, repeated: Repeated): Promise<void> {
    const contact = repeatsAny(repeated) && (await this.find(accountId, idOrEmail));
    if (contact) checkRepeated(repeated, namesContact(contact));
  }

  private async change(
    accountId: string,
    key: RowKey<ContactEntity>,
    columns: QueryDeepPartialEntity<ContactEntity>,
    properties: PropertyChanges | null | undefined,
    manager?: EntityManager,
  ): Promise<ContactEntity | undefined> {
    if (properties === null) return this.contacts.change(accountId, key, { ...columns, properties: {} }, manager);
    if (!properties || !key) return this.contacts.change(accountId, key, columns, manager);
    const change = (own: EntityManager) => this.changeHeld(own, { ...key, accountId }, columns, properties);
    return manager ? change(manager) : this.contacts.transaction(change);
  }

  /** The contact after the change; undefined when there is none. @throws ApiError 422 for too many properties */
  private async changeHeld(
    manager: EntityManager,
    where: FindOptionsWhere<ContactEntity> & { accountId: string },
    columns: QueryDeepPartialEntity<ContactEntity>,
    properties: PropertyChanges,
  ): Promise<ContactEntity | undefined> {
    const rows = manager.getRepository(ContactEntity);
    const [held] = await findRows(rows, { where, lock: { mode: 'for_no_key_update' } });
    if (!held) return undefined;
    const changed = changedProperties(held.properties, properties);
    if (Object.keys(changed).length > AUDIENCE_LIMITS.properties.max)
      throw ApiError.invalid(`\`properties\` ${TOO_MANY}.`);
    return this.contacts.change(where.accountId, { id: held.id }, { ...columns, properties: changed }, manager);
  }

  /** Writes again when another request has created a contact with the same address meanwhile. @throws ApiError 503 */
  private async writeOnce(write: (manager: EntityManager) => Promise<ContactEntity>): Promise<ContactEntity> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.contacts.transaction(write);
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

function shown(contact: ContactEntity): ContactDto {
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
