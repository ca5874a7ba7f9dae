import { type Mailbox, parseMailbox } from '../mailbox/mailbox.js';
import { MailboxSyntaxError } from '../mailbox/mailbox-syntax-error.js';
import type { Rule } from './rule.js';

interface MailboxWords {
  /** Said of what is no text. Default: what is said of every other. */
  noText?: string;
  /** What else it must be. Default: nothing. */
  also?: (mailbox: Mailbox, text: string) => boolean;
}

/**
 * Exactly one mailbox (RFC 5321 section 4.1.2), with an optional name.
 *
 * @param wrong said first of a text that is none; what its syntax lacks follows
 */
export function mailbox(wrong: string, { noText = wrong, also = () => true }: MailboxWords = {}): Rule<string> {
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
