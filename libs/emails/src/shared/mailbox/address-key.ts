/**
 * One text for every spelling of an address that means the same person: letter case, Unicode composition (NFC) and
 * quotes around the local part do not count (RFC 5321 section 4.1.2 calls the latter the same mailbox). Stricter than
 * what SMTP says of letter case, because an opt-out must not be lost to it, nor an email to a search.
 *
 * @param envelope an address whose domain is in A-labels
 */
export function addressKey(envelope: string): string {
  if (PLAIN.test(envelope)) return envelope.toLowerCase();
  const at = envelope.lastIndexOf('@');
  const local = envelope.slice(0, at).replace(/^"(.+)"$/, '$1');
  return `${lowerCase(local.normalize('NFC'))}${envelope.slice(at).toLowerCase()}`;
}

/** Lower case without regard to neighbours: as a whole, `ΑΣ` would end in a final sigma and `ασ` would not. */
function lowerCase(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join('');
}

/** Of ASCII, without quotes: most of them, and each is looked at when an email is accepted. */
const PLAIN = /^[\x21\x23-\x7e]+$/;
