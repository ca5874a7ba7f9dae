/*
 * The id of an attachment is that of its email, a UUID of version 7, with the version 8 (RFC 9562, section 5.8) and its
 * position in the last 16 bits. It needs no storage: each id follows from the other.
 */

const VERSION_AT = 14;
const LAST_BITS_AT = 32;

/** @param position fewer than 65,536: a body has no more values than that */
export function attachmentId(emailId: string, position: number): string {
  const others = emailId.slice(VERSION_AT + 1, LAST_BITS_AT);
  return `${emailId.slice(0, VERSION_AT)}8${others}${mixed(emailId, position)}`;
}

/** The attachment's position in its email; undefined when the id cannot belong to the email. */
export function positionOf(emailId: string, id: string): number | undefined {
  const position = Number.parseInt(mixed(emailId, Number.parseInt(id.slice(LAST_BITS_AT), 16)), 16);
  return attachmentId(emailId, position) === id ? position : undefined;
}

function mixed(emailId: string, bits: number): string {
  return (Number.parseInt(emailId.slice(LAST_BITS_AT), 16) ^ bits).toString(16).padStart(4, '0');
}
