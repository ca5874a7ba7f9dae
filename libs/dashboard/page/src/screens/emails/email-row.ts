import type { Email, EmailState, List } from '../../api/types';

/** The API's limit of rows. */
const LIMIT = 100;

/** The part of an email that a row shows. Contents are not kept: a list may be long, and they may be large. */
export interface EmailRow {
  id: string;
  from: string;
  to: readonly string[];
  subject: string;
  created_at: string;
  scheduled_at: string | null;
  last_event: EmailState;
}

/** A page of the list, without contents. */
export function rowsOf({ data, ...page }: List<Email>): List<EmailRow> {
  return {
    ...page,
    data: data.map(({ id, from, to, cc, bcc, subject, created_at, scheduled_at, last_event }) => ({
      id,
      from,
      to: [...to, ...cc, ...bcc],
      subject,
      created_at,
      scheduled_at,
      last_event,
    })),
  };
}

/**
 * Merges the newest page into a list: adds new rows on top, updates states, and removes missing rows.
 *
 * @returns undefined when the page does not reach the list, because more rows arrived in between
 */
export function withNewest(rows: readonly EmailRow[], newest: List<EmailRow>): readonly EmailRow[] | undefined {
  if (!newest.has_more) return newest.data;
  const last = newest.data.at(-1);
  const at = rows.findIndex(({ id }) => id === last?.id);
  return at < 0 ? undefined : [...newest.data, ...rows.slice(at + 1)];
}

/** Number of rows added on top of a list. */
export function countNew(before: readonly EmailRow[], after: readonly EmailRow[]): number {
  const known = new Set(before.map(({ id }) => id));
  const first = after.findIndex(({ id }) => known.has(id));
  return first < 0 ? after.length : first;
}

/** The range from the first to the last row on the screen that is not final. */
export interface OpenRows {
  /** The id of the row before them. */
  after: string;
  ids: readonly string[];
}

const OPEN: ReadonlySet<EmailState> = new Set(['queued', 'scheduled', 'sent', 'delivery_delayed']);

/** Rows on the screen to refresh, after the first `asked`; undefined when all of them are final. */
export function openRows(
  rows: readonly EmailRow[],
  shown: { first: number; last: number },
  asked: number,
): OpenRows | undefined {
  const isOpen = ({ last_event }: EmailRow) => OPEN.has(last_event);
  const begin = Math.max(shown.first, asked);
  const part = rows.slice(begin, Math.min(shown.last + 1, begin + LIMIT));
  const first = part.findIndex(isOpen);
  const before = rows[begin + first - 1];
  if (first < 0 || before === undefined) return undefined;
  return { after: before.id, ids: part.slice(first, part.findLastIndex(isOpen) + 1).map(({ id }) => id) };
}

/** Merges refreshed rows into a list, and removes rows that the answer should have but lacks. */
export function withOpen(rows: readonly EmailRow[], { ids }: OpenRows, answer: List<EmailRow>): readonly EmailRow[] {
  const now = new Map(answer.data.map((row) => [row.id, row]));
  // A page of large emails may be shorter than requested.
  const isWhole = !answer.has_more || answer.data.length >= ids.length;
  const missing = new Set(isWhole ? ids.filter((id) => !now.has(id)) : []);
  return rows.filter(({ id }) => !missing.has(id)).map((row) => now.get(row.id) ?? row);
}
