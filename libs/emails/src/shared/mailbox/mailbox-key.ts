import { addressKey } from './address-key.js';
import { parseMailbox } from './mailbox.js';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

/** Common key of all spellings of the address in a mailbox (`addressKey`); undefined for an invalid mailbox. */
export function mailboxKey(mailbox: string): string | undefined {
  try {
    return addressKey(parseMailbox(mailbox).envelope);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return undefined;
    throw error;
  }
}
