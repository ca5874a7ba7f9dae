import { LIMITS } from '../../../shared/limits.js';
import { schema } from '../../../shared/openapi/components.js';
import { mailbox } from '../../../shared/validation/mailbox-rule.js';
import { type Rule, ruleDecorator } from '../../../shared/validation/rule.js';

const oneMailbox: Rule = mailbox('must be one mailbox such as `a@b.c` or `Name <a@b.c>`', {
  noText: 'must be a mailbox such as `a@b.c` or `Name <a@b.c>`',
});

const mailboxesUpTo =
  (max: number): Rule =>
  (value, among) => {
    if (!Array.isArray(value) || value.length > max) return `takes up to ${max} mailboxes`;
    for (const [at, item] of value.entries()) {
      const wrong = oneMailbox(item, among);
      if (wrong !== undefined) return `[${at}] ${wrong}`;
    }
    return undefined;
  };

/** One mailbox, with an optional name (RFC 5321 section 4.1.2). */
export const IsMailbox = () => ruleDecorator('isMailbox', oneMailbox, schema('Mailbox'));

/** A list of texts with one mailbox each. @param max limit of the list */
export const IsMailboxList = (max = LIMITS.mailboxes.max) =>
  ruleDecorator('isMailboxList', mailboxesUpTo(max), { type: 'array', items: schema('Mailbox'), maxItems: max });
