/** A record of a CSV file. */
export interface CsvRecord {
  /** The line of the file that it begins on, from 1. */
  line: number;
  cells: string[];
}

const CELL_END = { ',': /[,\r\n]|$/g, ';': /[;\r\n]|$/g } as const;
const LINE_BREAKS = /\r\n|\r|\n/g;

/**
 * The records of a CSV file (RFC 4180) that are not empty, with any line breaks. They are separated by semicolons where the
 * first line has more of them than commas. A quote without its end counts as a character of its cell.
 */
export function* csvRecords(text: string): Generator<CsvRecord> {
  const separator = separatorOf(text);
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; ; at++) {
    const { cell, end } = cellAt(text, at, separator);
    cells.push(cell);
    if (text[at] === '"') line += cell.match(LINE_BREAKS)?.length ?? 0;
    at = end;
    if (text[at] === separator) continue;
    if (cells.length > 1 || cell.trim() !== '') yield { line: begin, cells };
    if (at >= text.length) return;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    cells = [];
    line++;
    begin = line;
  }
}

function separatorOf(text: string): keyof typeof CELL_END {
  const first = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return first.split(';').length > first.split(',').length ? ';' : ',';
}

/** A cell, and the index of what ends it. */
function cellAt(text: string, at: number, separator: keyof typeof CELL_END): { cell: string; end: number } {
  const quoted = text[at] === '"' ? quotedAt(text, at, separator) : undefined;
  if (quoted) return quoted;
  const pattern = CELL_END[separator];
  pattern.lastIndex = at;
  const end = pattern.exec(text)?.index ?? text.length;
  return { cell: text.slice(at, end), end };
}

function quotedAt(text: string, at: number, separator: string): { cell: string; end: number } | undefined {
  let cell = '';
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    cell += text.slice(from, quote);
    const next = text[quote + 1];
    if (next === undefined || next === separator || next === '\r' || next === '\n') return { cell, end: quote + 1 };
    if (next !== '"') return undefined;
    cell += '"';
    from = quote + 2;
  }
}
