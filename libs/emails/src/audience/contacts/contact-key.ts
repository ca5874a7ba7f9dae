import { addressKey } from '../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { asId } from '../../shared/rows/account-row.js';
import type { RowKey } from '../../shared/rows/account-rows.js';
import type { ContactEntity } from './contact.entity.js';

/** The key of the contact with this id or email, if it is one. */
export function contactKey(idOrEmail: string): RowKey<ContactEntity> {
  const id = asId(idOrEmail);
  if (id) return id;
  const emailKey = emailKeyOf(idOrEmail);
  return emailKey === undefined ? undefined : { emailKey };
}

/** What the spellings of an email have in common; undefined for what is none. */
export function emailKeyOf(email: string): string | undefined {
  try {
    return addressKey(parseMailbox(email).envelope);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return undefined;
    throw error;
  }
}
