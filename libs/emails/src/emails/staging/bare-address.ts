import type { Address } from '../../shared/mailbox/address.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';

/** Reads an address without a name and angle brackets. @throws MailboxSyntaxError */
export function bareAddress(text: string): Address {
  if (text.includes('<')) throw new MailboxSyntaxError('Leave out the name and the angle brackets.');
  return parseMailbox(text);
}
