/** In front of the token: RFC 5233 calls what follows a `+` a detail, and nobody has a mailbox of this name. */
const PREFIX = 'b+';

/** The reverse-path of a message: `b+TOKEN@domain`, whose local part has 49 octets of the 64 of RFC 5321. */
export function returnAddress(token: string, domain: string): string {
  return `${PREFIX}${token}@${domain}`;
}

/** The token in an address of this domain; undefined for other addresses. Letter case does not count. */
export function tokenIn(address: string, domain: string): string | undefined {
  const text = address.toLowerCase();
  const end = `@${domain}`;
  return text.startsWith(PREFIX) && text.endsWith(end) ? text.slice(PREFIX.length, -end.length) : undefined;
}
