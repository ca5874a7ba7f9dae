import { parseMailbox } from '../../../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../../../shared/mailbox/mailbox-syntax-error.js';
import { rule } from './rule.js';

/** Exactly one mailbox (RFC 5321 section 4.1.2), with an optional name. */
export const IsMailbox = () => rule('isMailbox', wrongMailbox);

/** A list of strings with one mailbox each. */
export const IsMailboxes = () =>
  rule('isMailboxes', (value) => {
    if (!Array.isArray(value)) return 'must be a mailbox or an array of mailboxes';
    for (const [index, item] of value.entries()) {
      const wrong = wrongMailbox(item);
      if (wrong) return `[${index}] ${wrong}`;
    }
    return undefined;
  });

function wrongMailbox(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a mailbox such as `a@b.c` or `Name <a@b.c>`';
  try {
    parseMailbox(value);
    return undefined;
  } catch (error) {
    if (error instanceof MailboxSyntaxError)
      return `must be one mailbox such as \`a@b.c\` or \`Name <a@b.c>\`: ${error.message}`;
    throw error;
  }
}
