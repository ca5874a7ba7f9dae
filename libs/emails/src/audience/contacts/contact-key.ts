import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { asId } from '../../shared/rows/account-row.js';
import type { RowKey } from '../../shared/rows/account-rows.js';
import { addressKey } from './address-key.js';
import type { ContactEntity } from './contact.entity.js';

/** The key of the contact with this id or email, if it is one. */
export function contactKey(idOrEmail: string): RowKey<ContactEntity> {
  return asId(idOrEmail) ?? byEmail(idOrEmail);
}

function byEmail(email: string): RowKey<ContactEntity> {
  try {
    return { emailKey: addressKey(parseMailbox(email).envelope) };
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return undefined;
    throw error;
  }
}
