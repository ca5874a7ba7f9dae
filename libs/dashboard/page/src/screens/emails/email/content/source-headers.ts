/** A field of a header, unfolded (RFC 5322, section 2.2.3). */
export interface HeaderLine {
  name: string;
  value: string;
}

/** The header of a message, in its order. */
export function headersOf(source: string): HeaderLine[] {
  const [header = ''] = source.split(/\r?\n\r?\n/, 1);
  return header
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }] : [];
    });
}
