/** A field of a header, its bytes as characters of latin1. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Name and value in relaxed form, without the line end (RFC 6376 section 3.4.2). */
  relaxed: string;
}

/** A field begins on each line that does not begin with a blank (RFC 5322 section 2.2.3). */
const BETWEEN_FIELDS = /\r\n(?![\t ])/;
const LINE_ENDS = /\r\n/g;
const BLANKS = /[\t ]+/g;
const OUTER_BLANKS = /^ | $/g;
const FINAL_BLANKS = /[\t ]+$/;

/**
 * The fields of a header that are named in `wanted`, in their order. Lines that are no fields are left out.
 *
 * @param header its bytes as characters of latin1
 */
export function headerFields(header: string, wanted: ReadonlySet<string>): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const text of header.split(BETWEEN_FIELDS)) {
    const colon = text.indexOf(':');
    if (colon < 1) continue;
    const name = text.slice(0, colon).replace(FINAL_BLANKS, '').toLowerCase();
    if (wanted.has(name)) fields.push({ name, relaxed: `${name}:${relaxedValue(text.slice(colon + 1))}` });
  }
  return fields;
}

/** Unfolded, with single blanks, and none at its ends. */
export function relaxedValue(value: string): string {
  return value.replace(LINE_ENDS, '').replace(BLANKS, ' ').replace(OUTER_BLANKS, '');
}
