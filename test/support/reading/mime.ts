import PostalMime, { type Email } from 'postal-mime';

/** Parses a message with a parser that is independent of the program that built it. */
export function parseMime(raw: Buffer): Promise<Email> {
  return PostalMime.parse(raw);
}

/** Names of the header fields at the top of a message, lower case, in their order, repeated ones repeated. */
export function headerNames(raw: Buffer): string[] {
  return headerLines(raw).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
}

/** The header fields at the top of a message as they stand there, folded ones in one string with their line breaks. */
export function headerLines(raw: Buffer): string[] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
  return head.split(/\r\n(?![ \t])/);
}
