import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { refuseTaken } from '../../shared/rows/refuse-taken.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { readChanges, readValues } from '../../shared/validation/read-fields.js';
import { addressKey } from './address-key.js';
import { ContactEntity } from './contact.entity.js';
import { contactChanges, newContact } from './contact.fields.js';
import { contactKey } from './contact-key.js';
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
  created_at: string;
}

/** Undefined: as it is, or the default. Null: no name. */
export interface ContactDetails {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  unsubscribed?: boolean | null | undefined;
}

/** A contact that is to be made. */
export interface NewContact extends ContactDetails {
  /** One address without a name, which no other contact of the account has. */
  email: string;
  /** Its first choices. Default: none. */
  topics?: readonly TopicChoice[] | null | undefined;
}

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
   * A contact with its first choices, both or neither.
   *
   * @throws ApiError 422 when the account has a contact with this email, or does not have one of the topics
   */
  async create(accountId: string, values: NewContact): Promise<ContactRecord> {
    checkAccountId(accountId);
    const { email, topics = [], ...details } = readValues(values, newContact);
    const choices = readTopicChoices(topics);
    const { address, envelope } = parseMailbox(email);
    const contact = { id: randomUUID(), accountId, email: address, emailKey: addressKey(envelope) };
    const written = this.dataSource.transaction(async (manager) => {
      const row = await this.contacts.insert({ ...contact, ...columnsOf(details) }, manager);
      await writeTopicChoices(manager, accountId, contact.id, choices);
      return row;
    });
    const taken = '`email` is the email of another contact, whatever its letter case. Change that contact.';
    return shown(await refuseTaken(written, taken));
  }

  /** The account's contacts, newest first. @throws ApiError 422 when the cursor is none of them */
  async list(accountId: string, query: PageQuery = {}): Promise<ListEnvelope<ContactRecord>> {
    checkAccountId(accountId);
    const page = toPageRequest(query);
    return toEnvelope(await this.contacts.page(accountId, page), shown);
  }

  /** The contact with this id, or with this email, whatever its letter case. */
  async find(accountId: string, idOrEmail: string): Promise<ContactRecord | undefined> {
    checkAccountId(accountId);
    const contact = await this.contacts.find(accountId, contactKey(idOrEmail));
    return contact && shown(contact);
  }

  /** The contact as it is after the change. */
  async update(accountId: string, idOrEmail: string, details: ContactDetails): Promise<ContactRecord | undefined> {
    checkAccountId(accountId);
    const { first_name, last_name, unsubscribed } = readChanges(details, contactChanges);
    const columns = columnsOf({ first_name, last_name, unsubscribed: unsubscribed ?? undefined });
    const contact = await this.contacts.change(accountId, contactKey(idOrEmail), columns);
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

function shown({ id, email, firstName, lastName, unsubscribed, createdText }: ContactEntity): ContactRecord {
  return {
    object: 'contact',
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    unsubscribed,
    created_at: createdText,
  };
}
