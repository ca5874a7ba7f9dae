import PostalMime, { type Email } from 'postal-mime';

/** Parses a message with an independent parser. */
export function parseMime(raw: Buffer): Promise<Email> {
  return PostalMime.parse(raw);
}

/** Names of the header fields at the top of a message, lower case, in order, with repetitions. */
export function headerNames(raw: Buffer): string[] {
  return headerLines(raw).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
}

/** The raw header fields at the top of a message, folded ones in one string with their line breaks. */
export function headerLines(raw: Buffer): string[] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
  return head.split(/\r\n(?![ \t])/);
}
