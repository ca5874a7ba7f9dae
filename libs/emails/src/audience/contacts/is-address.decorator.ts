import { ValidateBy } from 'class-validator';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';

/** One address without a name. */
export const IsAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAddress',
    validator: {
      validate: (value) => wrongAddress(value) === undefined,
      defaultMessage: (args) => wrongAddress(args?.value) ?? '',
    },
  });

function wrongAddress(value: unknown): string | undefined {
  const rule = 'must be one address such as `name@example.com`, without a name';
  if (typeof value !== 'string') {
    return rule;
  }
  try {
    return parseMailbox(value).address === value.trim() ? undefined : rule;
  } catch (error) {
    if (error instanceof MailboxSyntaxError) {
      return `${rule}: ${error.message.replace(/\.$/, '')}`;
    }
    throw error;
  }
}
