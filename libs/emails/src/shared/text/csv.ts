const NEEDS_QUOTES = /[",\r\n]/;
/** A spreadsheet would take such a cell for a formula, or for the end of the cell before. */
const IS_FORMULA = /^[=+\-@\t\r\n]/;

/** One record of a CSV file (RFC 4180), with its line break. A cell that looks like a formula gets a leading `'`. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const plain = IS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
