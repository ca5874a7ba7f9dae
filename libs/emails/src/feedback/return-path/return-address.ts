/** In front of the token: RFC 5233 calls what follows a `+` a detail, and nobody has a mailbox of this name. */
const PREFIX = 'b+';

/** The reverse-path of a message: `b+TOKEN@domain`, whose local part has 49 octets of the 64 of RFC 5321. */
export function returnAddress(token: string, domain: string): string {
  return `${PREFIX}${token}@${domain}`;
}

/**
 * The token in an address of this domain; undefined for other addresses. Letter case does not count.
 *
 * @param domain undefined: of any domain
 */
export function tokenIn(address: string, domain: string | undefined): string | undefined {
  const text = address.toLowerCase();
  const at = text.lastIndexOf('@');
  if (!text.startsWith(PREFIX) || at === -1 || (domain !== undefined && text.slice(at + 1) !== domain))
    return undefined;
  return text.slice(PREFIX.length, at);
}
