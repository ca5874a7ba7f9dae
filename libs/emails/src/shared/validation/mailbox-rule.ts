import { type Mailbox, parseMailbox } from '../mailbox/mailbox.js';
import { MailboxSyntaxError } from '../mailbox/mailbox-syntax-error.js';
import { type Rule, ruleDecorator } from './rule.js';

interface MailboxWords {
  /** Message for a value that is not a text. Default: the message for other invalid values. */
  noText?: string;
  /** Further condition. Default: none. */
  also?: (mailbox: Mailbox, text: string) => boolean;
}

/**
 * Exactly one mailbox (RFC 5321 section 4.1.2), with an optional name.
 *
 * @param wrong first part of the message for an invalid text; the flaw of its syntax follows
 */
export function mailbox(wrong: string, { noText = wrong, also = () => true }: MailboxWords = {}): Rule {
  return (value) => {
    if (typeof value !== 'string') return noText;
    try {
      return also(parseMailbox(value), value) ? undefined : wrong;
    } catch (error) {
      if (error instanceof MailboxSyntaxError) return `${wrong}: ${error.message}`;
      throw error;
    }
  };
}

/** One address without a name (RFC 5321 section 4.1.2). */
export const IsAddress = () =>
  ruleDecorator(
    'isAddress',
    mailbox('must be one address such as `name@example.com`, without a name', {
      also: ({ address }, text) => address === text.trim(),
    }),
    { type: 'string' },
  );
