import { Injectable } from '@nestjs/common';
import { type ListEnvelope, type PageRequest, parseMailbox } from 'nestjs-emails';
import { DataSource } from 'typeorm';
import { AccountRows } from '../../shared/rows/account-rows.js';
import { timestampSql } from '../../shared/rows/list-page.js';
import { refuseTaken } from '../../shared/rows/refuse-taken.js';
import { addressKey } from './address-key.js';
import { contactKey } from './contact-key.js';
import { type TopicChoice, TopicChoicesService } from './topic-choices.service.js';

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
export type ContactDetails = {
  first_name: string | null | undefined;
  last_name: string | null | undefined;
  unsubscribed: boolean | undefined;
};

const CONTACTS = {
  table: 'contacts',
  columns: `'contact' AS object, id, email, first_name, last_name, unsubscribed, ${timestampSql('created_at')} AS created_at`,
};

/** The contacts of the accounts, found by id or email. What is undefined here does not exist in the account. */
@Injectable()
export class ContactsService {
  private readonly rows: AccountRows<ContactRecord>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly choices: TopicChoicesService,
  ) {
    this.rows = new AccountRows(dataSource, CONTACTS);
  }

  /**
   * A contact with its first choices, both or neither.
   *
   * @throws ApiError 422 when the account has a contact with this email, or does not have one of the topics
   */
  create(
    accountId: string,
    email: string,
    details: ContactDetails,
    choices: readonly TopicChoice[],
  ): Promise<ContactRecord> {
    const { address, envelope } = parseMailbox(email);
    const written = this.dataSource.transaction(async (manager) => {
      const values = { email: address, email_key: addressKey(envelope), ...details };
      const contact = await this.rows.insert(accountId, values, manager);
      await this.choices.write(manager, accountId, contact.id, choices);
      return contact;
    });
    return refuseTaken(
      written,
      '`email` is the email of another contact, whatever its letter case. Change that contact.',
    );
  }

  list(accountId: string, page: PageRequest): Promise<ListEnvelope<ContactRecord>> {
    return this.rows.list(accountId, page);
  }

  find(accountId: string, idOrEmail: string): Promise<ContactRecord | undefined> {
    return this.rows.find(accountId, contactKey(idOrEmail));
  }

  update(accountId: string, idOrEmail: string, details: ContactDetails): Promise<ContactRecord | undefined> {
    return this.rows.update(accountId, contactKey(idOrEmail), details);
  }

  /**
   * The contact's choices go with it: the address is then one of somebody who is not a contact.
   *
   * @returns the id
   */
  remove(accountId: string, idOrEmail: string): Promise<string | undefined> {
    return this.rows.remove(accountId, contactKey(idOrEmail));
  }
}
