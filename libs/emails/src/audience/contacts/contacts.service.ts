import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { AccountRows, given } from '../../shared/rows/account-rows.js';
import { type ListEnvelope, type PageRequest, toEnvelope } from '../../shared/rows/page.js';
import { refuseTaken } from '../../shared/rows/refuse-taken.js';
import { addressKey } from './address-key.js';
import { ContactEntity } from './contact.entity.js';
import { contactKey } from './contact-key.js';
import { type TopicChoice, writeTopicChoices } from './write-topic-choices.js';

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

/** Undefined: as it is, or the default. */
export interface ContactDetails {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  unsubscribed?: boolean | undefined;
}

/** The contacts of the accounts, found by id or email. What is undefined here does not exist in the account. */
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
  async create(
    accountId: string,
    email: string,
    details: ContactDetails = {},
    choices: readonly TopicChoice[] = [],
  ): Promise<ContactRecord> {
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
  async list(accountId: string, page: PageRequest): Promise<ListEnvelope<ContactRecord>> {
    return toEnvelope(await this.contacts.page(accountId, page), shown);
  }

  /** The contact with this id, or with this email, whatever its letter case. */
  async find(accountId: string, idOrEmail: string): Promise<ContactRecord | undefined> {
    const contact = await this.contacts.find(accountId, contactKey(idOrEmail));
    return contact && shown(contact);
  }

  /** The contact as it is after the change. */
  async update(accountId: string, idOrEmail: string, details: ContactDetails): Promise<ContactRecord | undefined> {
    const contact = await this.contacts.change(accountId, contactKey(idOrEmail), columnsOf(details));
    return contact && shown(contact);
  }

  /**
   * The contact's choices go with it: the address is then one of somebody who is not a contact.
   *
   * @returns the id
   */
  remove(accountId: string, idOrEmail: string): Promise<string | undefined> {
    return this.contacts.remove(accountId, contactKey(idOrEmail));
  }
}

function columnsOf({ first_name, last_name, unsubscribed }: ContactDetails) {
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
