import { LIMITS } from '../shared/limits.js';
import { schema } from '../shared/openapi/components.js';
import { mailbox } from '../shared/validation/mailbox-rule.js';
import { type Rule, ruleDecorator } from '../shared/validation/rule.js';

const oneMailbox = mailbox('must be one mailbox such as `name@example.com` or `Name <name@example.com>` per string');

const mailboxes: Rule = (value, among) => {
  if (!Array.isArray(value)) return 'must be a mailbox or an array of mailboxes';
  if (value.length > LIMITS.mailboxes.max) return `takes up to ${LIMITS.mailboxes.max} mailboxes`;
  return value.map((item) => oneMailbox(item, among)).find((wrong) => wrong !== undefined);
};

/** One mailbox, with an optional name (RFC 5321 section 4.1.2). */
export const IsTemplateMailbox = () => ruleDecorator('isTemplateMailbox', oneMailbox, schema('Mailbox'));

/** Up to 50, each in a separate string. */
export const IsTemplateMailboxList = () =>
  ruleDecorator('isTemplateMailboxList', mailboxes, {
    type: 'array',
    items: schema('Mailbox'),
    maxItems: LIMITS.mailboxes.max,
  });
