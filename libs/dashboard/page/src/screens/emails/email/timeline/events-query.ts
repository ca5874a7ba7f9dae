import { queryOptions } from '@tanstack/react-query';
import { api, queryOf } from '../../../../api/client';
import type { EmailEvent, List } from '../../../../api/types';

/** Limit of read pages of events: an email has few, but it may have many recipients. */
const MAX_PAGES = 10;
const PAGE = 100;

/** The newest events of an email are read up to this number. */
export const MOST_EVENTS = MAX_PAGES * PAGE;

/** The events of an email, newest first. */
export const eventsQuery = (id: string) =>
  queryOptions({ queryKey: ['emails', 'events', id], queryFn: ({ signal }) => allEvents(id, signal) });

async function allEvents(id: string, signal: AbortSignal): Promise<EmailEvent[]> {
  const events: EmailEvent[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = queryOf({ limit: PAGE, after: events.at(-1)?.id });
    const { data, has_more: hasMore } = await api<List<EmailEvent>>('GET', `emails/${id}/events${query}`, { signal });
    events.push(...data);
    if (!hasMore) break;
  }
  return events;
}
