import { mailbox } from '../../../shared/validation/mailbox-rule.js';
import type { Rule } from '../../../shared/validation/rule.js';

/** Of one field. */
export const MAX_MAILBOXES = 50;

/** One mailbox, with an optional name. */
export const oneMailbox: Rule<string> = mailbox('must be one mailbox such as `a@b.c` or `Name <a@b.c>`', {
  noText: 'must be a mailbox such as `a@b.c` or `Name <a@b.c>`',
});

/** A list of texts with one mailbox each. */
export const mailboxesUpTo =
  (most: number): Rule<string[]> =>
  (value, among) => {
    if (!Array.isArray(value) || value.length > most) return `takes up to ${most} mailboxes`;
    for (const [at, item] of value.entries()) {
      const wrong = oneMailbox(item, among);
      if (wrong !== undefined) return `[${at}] ${wrong}`;
    }
    return undefined;
  };

export const mailboxes = mailboxesUpTo(MAX_MAILBOXES);
