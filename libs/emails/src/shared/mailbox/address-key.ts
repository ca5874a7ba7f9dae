/**
 * One key for all spellings of an address: letter case, Unicode composition (NFC) and quotes around the local part do
 * not count (RFC 5321 section 4.1.2 treats the latter as the same mailbox). SMTP allows case-sensitive local parts; the
 * key ignores case, because an opt-out or a search must not depend on it.
 *
 * @param envelope an address whose domain is in A-labels
 */
export function addressKey(envelope: string): string {
  if (PLAIN.test(envelope)) return envelope.toLowerCase();
  const at = envelope.lastIndexOf('@');
  const local = envelope.slice(0, at).replace(/^"(.+)"$/, '$1');
  return `${lowerCase(local.normalize('NFC'))}${envelope.slice(at).toLowerCase()}`;
}

/** Lower case of each character separately: `ΑΣ` as a whole would end in a final sigma and `ασ` would not. */
function lowerCase(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join('');
}

/** Fast path for ASCII without quotes, which most addresses are: each one is checked when an email is accepted. */
const PLAIN = /^[\x21\x23-\x7e]+$/;
