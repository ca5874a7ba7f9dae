import { toASCII, toUnicode } from 'tr46';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

/**
 * The domain of an address in lower-case A-labels (RFC 5321 section 2.3.5, RFC 5890 section 2.3.2.1).
 *
 * Stricter than a URL parser, which maps look-alikes (`ｅxample.com`, `example。com`), drops invisible characters and
 * reads `127.1` as an IPv4 address, so that the mail would go to a domain that the caller did not write. Here only
 * upper case and Unicode composition (NFC) may change, and no character may become another one: NFC turns U+037E into
 * `;` and U+1FEF into a backtick.
 *
 * `domainToASCII` of `node:url` uses the Unicode tables of each Node version, so the same text could become another
 * address after an upgrade of Node. `tr46` is pinned: its tables (Unicode 15.0, those of Node 20 and 22) are the same
 * everywhere.
 *
 * @throws MailboxSyntaxError
 */
export function toAsciiDomain(domain: string): string {
  const labels = domain.split('.');
  for (const label of labels) checkLabel(label);
  if (LOOKS_NUMERIC.test(labels.at(-1) ?? '')) {
    throw new MailboxSyntaxError('The part after `@` must be a domain name, not an IP address.');
  }
  return labels.map(toALabel).join('.');
}

function checkLabel(label: string): void {
  if (label === '') {
    throw new MailboxSyntaxError('The domain must not start or end with a dot or have two in a row.');
  }
  if (FULL_STOP_LOOKALIKE.test(label)) {
    throw new MailboxSyntaxError('The domain has a character that only looks like a dot. Write `.` (U+002E).');
  }
  if (!LABEL.test(label)) {
    throw new MailboxSyntaxError('The domain may have letters, digits, hyphens and dots only.');
  }
  checkHyphens(label);
  if (label.length > MAX_LABEL) throw labelTooLong();
}

function checkHyphens(label: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new MailboxSyntaxError('No part of the domain may start or end with a hyphen.');
  }
}

/** The A-label, if it decodes to exactly the given text. */
function toALabel(written: string): string {
  if (ASCII.test(written) && !A_LABEL.test(written)) return written.toLowerCase();
  if (Array.from(written).some(becomesAnother)) throw notADomain();
  const { domain: uLabel, error } = toUnicode(written, UTS46);
  const aLabel = error ? null : toASCII(uLabel, UTS46);
  if (aLabel === null) throw notADomain();
  if (aLabel.length > MAX_LABEL) throw labelTooLong();
  if (!LDH_LABEL.test(aLabel)) throw notADomain();
  // Several A-labels may decode to the same text, but it encodes to only one of them (RFC 5891 section 5.4).
  if (ASCII.test(written) && aLabel !== written.toLowerCase()) throw notADomain();
  if (!ASCII.test(written) && uLabel !== lowerCase(written.normalize('NFC'))) throw notADomain();
  checkHyphens(uLabel);
  return aLabel;
}

/** True if NFC replaces this character by another one, or if its lower case contains ASCII letters, as with `İ`. */
function becomesAnother(character: string): boolean {
  if (ASCII.test(character)) return false;
  const composed = character.normalize('NFC');
  const isReplaced = composed !== character && Array.from(composed).length === 1;
  return isReplaced || HAS_ASCII.test(character.toLowerCase());
}

/** Lower case of each character separately: `ΑΣ` as a whole would end in a final sigma, which is another letter. */
function lowerCase(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join('');
}

function labelTooLong(): MailboxSyntaxError {
  return new MailboxSyntaxError(`No part of the domain may be longer than ${MAX_LABEL} octets between two dots.`);
}

function notADomain(): MailboxSyntaxError {
  return new MailboxSyntaxError(
    'The domain is not a valid internationalised name as it is written. Write it in its usual form or in A-labels (`xn--…`).',
  );
}

/** Unicode Technical Standard 46 with the options of URLs (WHATWG URL, "domain to ASCII"). */
const UTS46 = { checkBidi: true, checkJoiners: true };
const MAX_LABEL = 63;
const ASCII = /^[\0-\x7f]*$/;
const HAS_ASCII = /[\0-\x7f]/;
const A_LABEL = /^xn--/i;
const LDH_LABEL = /^[a-z0-9-]+$/;
const LABEL = /^[A-Za-z0-9\u0080-\uffff-]+$/;
/** Labels that a URL parser reads as the last part of an IPv4 address (WHATWG URL, "ends in a number"). */
const LOOKS_NUMERIC = /^(?:\d+|0x[\da-f]*)$/i;
const FULL_STOP_LOOKALIKE = /[\u3002\uff0e\uff61\u2024\ufe52]/;
