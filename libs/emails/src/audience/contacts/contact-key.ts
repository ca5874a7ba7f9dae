import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { RowKey } from '../../shared/rows/account.repository.js';
import { asId } from '../../shared/rows/account-row.js';
import type { ContactEntity } from './contact.entity.js';

/** The key of the contact with this id or email, if it is one. */
export function contactKey(idOrEmail: string): RowKey<ContactEntity> {
  const id = asId(idOrEmail);
  if (id) return id;
  const emailKey = mailboxKey(idOrEmail);
  return emailKey === undefined ? undefined : { emailKey };
}
