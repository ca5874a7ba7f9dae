import type { Suppression } from '../../../api/types';
import { addressOf } from '../../../parts/address-of';
import { asOrigin } from '../origins';
import { TEXTS } from '../texts';
import { csvRecords } from './csv-records';

/** Lines of a file, at most. */
export const MAX_LINES = 100_000;

/** An address of a file. */
export interface FoundAddress {
  line: number;
  email: string;
  /** Undefined where the file has none. */
  origin: Suppression['origin'] | undefined;
}

/** A line that adds nothing. */
export interface RefusedLine {
  line: number;
  text: string;
  why: string;
}

export interface AddressFile {
  /** The first line has the names of the columns. */
  hasHeader: boolean;
  found: FoundAddress[];
  refused: RefusedLine[];
}

/** Names of the column with the addresses, as other services export it. */
const EMAIL = /^(e-?mail|mail|(e-?mail[ _-]?)?address|recipient)$/i;
/** The mark that keeps a spreadsheet from taking a cell for a formula. */
const GUARD = /^'(?=[=+\-@])/;

/**
 * The addresses of a CSV file, such as `GET /suppressions/export` writes. A first line without an `@` is a header. Without a
 * column of a known name, the first cell with an `@` counts.
 *
 * @returns undefined for a file with more lines than `MAX_LINES`
 */
export function readAddresses(text: string): AddressFile | undefined {
  const file: AddressFile = { hasHeader: false, found: [], refused: [] };
  let columns: Columns = {};
  let isFirst = true;
  for (const { line, cells } of csvRecords(text)) {
    file.hasHeader ||= isFirst && !cells.some((cell) => cell.includes('@'));
    if (isFirst && file.hasHeader) columns = columnsOf(cells);
    else if (file.found.length + file.refused.length === MAX_LINES) return undefined;
    else readLine(file, line, cells, columns);
    isFirst = false;
  }
  return file;
}

type Columns = Partial<Record<'email' | 'origin' | 'expiry', number>>;

function columnsOf(cells: readonly string[]): Columns {
  const find = (name: RegExp) => {
    const at = cells.findIndex((cell) => name.test(cell.trim()));
    return at === -1 ? undefined : at;
  };
  const columns = { email: find(EMAIL), origin: find(/^origin$/i), expiry: find(/^expires_at$/i) };
  return Object.fromEntries(Object.entries(columns).filter(([, at]) => at !== undefined));
}

function readLine(file: AddressFile, line: number, cells: readonly string[], columns: Columns): void {
  const cellOf = (at: number | undefined) => (at === undefined ? '' : (cells[at] ?? '').trim());
  const cell = columns.email === undefined ? cells.find((one) => one.includes('@')) : cellOf(columns.email);
  const email = addressOf((cell ?? '').trim().replace(GUARD, ''));
  const refuse = (why: string) => file.refused.push({ line, text: email || cells.join(', '), why });
  if (!email.includes('@')) refuse(TEXTS.importing.noAddress);
  else if (cellOf(columns.expiry) !== '') refuse(TEXTS.importing.expires);
  else file.found.push({ line, email, origin: asOrigin(cellOf(columns.origin)) });
}
