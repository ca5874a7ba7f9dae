import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { ruleDecorator } from '../../shared/validation/rule.js';

/** An address of an envelope, in any letter case. */
export const IsRecipient = () =>
  ruleDecorator(
    'isRecipient',
    (value) => {
      if (typeof value !== 'string') return 'must be an address';
      try {
        parseMailbox(value);
        return undefined;
      } catch (error) {
        if (error instanceof MailboxSyntaxError) return `must be an address. ${error.message}`;
        throw error;
      }
    },
    { type: 'string' },
  );
