import type { Email, EmailState, List } from '../../api/types';

/** What a row shows of an email. Contents are not kept: a list may be long, and they may be large. */
export interface EmailRow {
  id: string;
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
    data: data.map(({ id, to, cc, bcc, subject, created_at, scheduled_at, last_event }) => ({
      id,
      to: [...to, ...cc, ...bcc],
      subject,
      created_at,
      scheduled_at,
      last_event,
    })),
  };
}

/**
 * A list with what its newest page says now: new ones on top, states as they are, what is gone left out.
 *
 * @returns undefined when the page does not reach the list, because more came in between
 */
export function withNewest(rows: readonly EmailRow[], newest: List<EmailRow>): readonly EmailRow[] | undefined {
  if (!newest.has_more) return newest.data;
  const last = newest.data.at(-1);
  const at = rows.findIndex(({ id }) => id === last?.id);
  return at < 0 ? undefined : [...newest.data, ...rows.slice(at + 1)];
}

/** How many rows came on top of a list. */
export function countNew(before: readonly EmailRow[], after: readonly EmailRow[]): number {
  const known = new Set(before.map(({ id }) => id));
  const first = after.findIndex(({ id }) => known.has(id));
  return first < 0 ? after.length : first;
}
