import type { InboxEntry } from './inbox-api';

type Dated = Pick<InboxEntry, 'received_at'>;

/**
 * Holds back new entries, so that they do not move the one that is being read.
 *
 * @param entries newest first
 * @param top the newest entry at the time when the reader left the top; without it nothing is held back
 */
export function heldBack<Entry extends Dated>(entries: readonly Entry[], top: Dated | undefined) {
  if (top === undefined) return { shown: entries, count: 0 };
  const at = entries.findIndex(({ received_at: received }) => received <= top.received_at);
  const count = at < 0 ? 0 : at;
  return { shown: entries.slice(count), count };
}

/** The entry to show when `id` is deleted: the next older, else the next newer. */
export function neighbourOf<Entry extends { id: string }>(entries: readonly Entry[], id: string): Entry | undefined {
  const at = entries.findIndex((entry) => entry.id === id);
  return at < 0 ? undefined : (entries[at + 1] ?? entries[at - 1]);
}
