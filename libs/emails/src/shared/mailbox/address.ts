import { hasEncodedWord } from '../text/text-rules.js';
import { toAsciiDomain } from './domain.js';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

export interface Address {
  /** The address as it was written. */
  address: string;
  /** The address for the SMTP envelope: the same, with its domain in lower-case A-labels. */
  envelope: string;
  /** True when the local part is not ASCII: only a server with SMTPUTF8 accepts it (RFC 6531). */
  needsSmtpUtf8: boolean;
}

/**
 * Reads one address by the grammar of RFC 5321 section 4.1.2, with UTF-8 as in RFC 6531 section 3.3, and not by the
 * older, looser one of message headers. Address literals (`[192.0.2.1]`) are refused; quoted local parts are accepted
 * when nothing in them could be read as the end of the address.
 *
 * @param address one clean line
 * @throws MailboxSyntaxError
 */
export function parseAddress(address: string): Address {
  const at = address.indexOf('@');
  if (at === -1) throw new MailboxSyntaxError('The address has no `@`. Write `name@example.com`.');
  if (address.includes('@', at + 1) || LIST_SEPARATOR.test(address)) {
    throw new MailboxSyntaxError('More than one address was given. Give one mailbox per string.');
  }
  const local = address.slice(0, at);
  checkLocalPart(local);
  // Checked before the conversion of the domain, which is slow for a long one.
  checkLength(address);
  const envelope = `${local}@${toAsciiDomain(address.slice(at + 1))}`;
  checkLength(envelope);
  return { address, envelope, needsSmtpUtf8: !ASCII.test(local) };
}

function checkLength(address: string): void {
  if (Buffer.byteLength(address) > MAX_ADDRESS) {
    throw new MailboxSyntaxError(`The address is longer than ${MAX_ADDRESS} octets.`);
  }
}

function checkLocalPart(local: string): void {
  if (Buffer.byteLength(local) > MAX_LOCAL_PART) {
    throw new MailboxSyntaxError(`The part before \`@\` is longer than ${MAX_LOCAL_PART} octets.`);
  }
  if (!DOT_ATOM.test(local) && !QUOTED_STRING.test(local)) {
    throw new MailboxSyntaxError(
      "The part before `@` may have letters, digits, !#$%&'*+/=?^_`{|}~- and single dots between them. " +
        'Comments, groups and routes are not accepted.',
    );
  }
  if (hasEncodedWord(local)) {
    throw new MailboxSyntaxError('The part before `@` must not be a MIME encoded word (`=?…?=`).');
  }
  if (!ASCII.test(local) && INVISIBLE.test(local)) {
    throw new MailboxSyntaxError('The part before `@` has an invisible character. Remove it.');
  }
}

/** RFC 5321 section 4.5.3.1.3: a path has 256 octets, two of them for `<` and `>`. */
const MAX_ADDRESS = 254;
/** RFC 5321 section 4.5.3.1.1. */
const MAX_LOCAL_PART = 64;

const ASCII = /^[\0-\x7f]*$/;
const LIST_SEPARATOR = /[,;]/;
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+)*$/;
const QUOTED_STRING = /^"[\w!#$%&'*+/=?^`{|}~.\u0080-\uffff-]+(?: [\w!#$%&'*+/=?^`{|}~.\u0080-\uffff-]+)*"$/;
/** Spaces other than U+0020, format characters and other invisible ones. */
const INVISIBLE =
  /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
