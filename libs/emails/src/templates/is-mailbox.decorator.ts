import { ValidateBy } from 'class-validator';
import { parseMailbox } from '../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../shared/mailbox/mailbox-syntax-error.js';

const MAX_MAILBOXES = 50;

/** One mailbox: `a@b.c` or `Name <a@b.c>`. */
export const IsMailbox = (): PropertyDecorator => rule('isMailbox', wrongMailbox);

/** Up to 50 mailboxes, each in a string of its own. */
export const IsMailboxes = (): PropertyDecorator =>
  rule('isMailboxes', (value) => {
    if (!Array.isArray(value)) {
      return 'must be a mailbox or an array of mailboxes';
    }
    return value.length > MAX_MAILBOXES
      ? `takes up to ${MAX_MAILBOXES} mailboxes`
      : value.map(wrongMailbox).find((wrong) => wrong !== undefined);
  });

function rule(name: string, wrong: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => wrong(value) === undefined,
      defaultMessage: (args) => wrong(args?.value) ?? '',
    },
  });
}

function wrongMailbox(value: unknown): string | undefined {
  const shape = 'must be one mailbox such as `name@example.com` or `Name <name@example.com>` per string';
  if (typeof value !== 'string') {
    return shape;
  }
  try {
    parseMailbox(value);
    return undefined;
  } catch (error) {
    if (error instanceof MailboxSyntaxError) {
      return `${shape}: ${error.message.replace(/\.$/, '')}`;
    }
    throw error;
  }
}
