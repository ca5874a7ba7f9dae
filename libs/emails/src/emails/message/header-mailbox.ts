import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs';
import type { Mailbox } from '../../shared/mailbox/mailbox.js';

/** An address that needs no angle brackets. */
const PLAIN = /^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+$/;
const ATOMS = /^[\w ]*$/;
const PRINTABLE = /^[ -~]*$/;
/** Limit of characters per encoded word. */
const LONGEST_WORD = 52;

/**
 * A mailbox as a header field shows it (RFC 5322 section 3.4). Its address is in its final form: domain in A-labels.
 */
export function headerMailbox({ name, envelope }: Mailbox): string {
  if (name !== '') return `${phraseOf(name)} <${envelope}>`;
  return PLAIN.test(envelope) ? envelope : `<${envelope}>`;
}

function phraseOf(name: string): string {
  if (ATOMS.test(name)) return name;
  return PRINTABLE.test(name) ? quoteString(name) : encodeWord(name, encodingOf(name), LONGEST_WORD);
}

/** The shorter encoding: `Q` keeps Latin letters. */
function encodingOf(name: string): 'Q' | 'B' {
  const latin = name.replace(/[^a-z]/gi, '').length;
  return name.replace(/[\0-\x7f]/g, '').length < latin ? 'Q' : 'B';
}
