import { EMAIL_STATES } from 'nestjs-emails/facts';
import type { EmailState, List, ListedEmail } from '../../../api/types';
import { instantOf } from '../../../parts/times';

/** The API's limit of rows. */
const LIMIT = 100;
/** A sent email usually gets its later reports within this time. Milliseconds. */
const REPORTS = 3_600_000;

/** An email of the list. Contents are not kept: a list may be long. */
export type EmailRow = ListedEmail;

/** All recipients, those of `to` first. */
export function recipientsOf({ to, cc, bcc }: Pick<EmailRow, 'to' | 'cc' | 'bcc'>): readonly string[] {
  return [...to, ...cc, ...bcc];
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
  /** The id of the row before them; undefined at the top. */
  after: string | undefined;
  ids: readonly string[];
}

/** Rows on the screen to refresh; undefined when all of them are final. @param now milliseconds since 1970 */
export function openRows(
  rows: readonly EmailRow[],
  shown: { first: number; last: number },
  now: number,
): OpenRows | undefined {
  const isOpen = (row: EmailRow) => mayChange(row, now);
  const part = rows.slice(shown.first, Math.min(shown.last + 1, shown.first + LIMIT));
  const first = part.findIndex(isOpen);
  if (first < 0) return undefined;
  const ids = part.slice(first, part.findLastIndex(isOpen) + 1).map(({ id }) => id);
  return { after: rows[shown.first + first - 1]?.id, ids };
}

/** Merges refreshed rows into a list, and removes rows that the answer should have but lacks. */
export function withOpen(
  rows: readonly EmailRow[],
  { after, ids }: OpenRows,
  answer: List<EmailRow>,
): readonly EmailRow[] {
  const known = new Set(rows.map(({ id }) => id));
  // At the top, new rows push the last ones out of the answer.
  const isShifted = after === undefined && answer.data.some(({ id }) => !known.has(id));
  // A page of large emails may be shorter than requested.
  const isWhole = !isShifted && (!answer.has_more || answer.data.length >= ids.length);
  const now = new Map(answer.data.map((row) => [row.id, row]));
  const missing = new Set(isWhole ? ids.filter((id) => !now.has(id)) : []);
  return rows.filter(({ id }) => !missing.has(id)).map((row) => now.get(row.id) ?? row);
}

/** True if two lists show the same. */
export function isSame(a: readonly EmailRow[], b: readonly EmailRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, last_event, scheduled_at }, at) => {
      const other = b[at];
      return other?.id === id && other.last_event === last_event && other.scheduled_at === scheduled_at;
    })
  );
}

function mayChange({ last_event, created_at }: EmailRow, now: number): boolean {
  if (last_event === 'sent') return now - instantOf(created_at) < REPORTS;
  return !isTerminal(last_event);
}

function isTerminal(state: EmailState): boolean {
  return EMAIL_STATES[state].terminal;
}
