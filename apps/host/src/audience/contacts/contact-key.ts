import { MailboxSyntaxError, parseMailbox } from 'nestjs-emails';
import { byId, type RowKey } from '../../shared/rows/account-rows.js';
import { addressKey } from './address-key.js';

/** The key of the contact with this id or email, if it is one. */
export function contactKey(idOrEmail: string): RowKey {
  return byId(idOrEmail) ?? byEmail(idOrEmail);
}

function byEmail(email: string): RowKey {
  try {
    return { column: 'email_key', value: addressKey(parseMailbox(email).envelope) };
  } catch (error) {
    if (error instanceof MailboxSyntaxError) {
      return undefined;
    }
    throw error;
  }
}
