import { addressKey } from './address-key.js';
import { parseMailbox } from './mailbox.js';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

/** What the spellings of the address in a mailbox have in common (`addressKey`); undefined for what is no mailbox. */
export function mailboxKey(mailbox: string): string | undefined {
  try {
    return addressKey(parseMailbox(mailbox).envelope);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return undefined;
    throw error;
  }
}
