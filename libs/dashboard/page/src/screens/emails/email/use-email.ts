import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, queryOf } from '../../../api/client';
import { segment } from '../../../api/segment';
import { sessionQuery } from '../../../api/session';
import type { Email, EmailAttachment, EmailEvent, EmailRecipient, List, Topic } from '../../../api/types';
import { useVisible } from '../../../hooks/use-visible';
import { intervalOf } from './progress';

/** Links to attachments are valid for an hour; they are renewed before that. Milliseconds. */
const RENEWAL = 1_800_000;

/** Limit of read events: an email has few, but it may have many recipients. */
export const MAX_EVENTS = 1_000;
const PAGE = 100;

/**
 * One email with its recipients and events. Only these are polled, because the content may be long: the email is read
 * again when a recipient changes. `isWhole` once all three were asked for, so that nothing moves while they arrive.
 */
export function useEmail(id: string) {
  const isVisible = useVisible();
  const client = useQueryClient();
  const email = useQuery({
    queryKey: ['emails', 'one', id],
    queryFn: ({ signal }) => api<Email>('GET', `emails/${segment(id)}`, { signal }),
  });
  const { data } = email;
  const recipients = useQuery({
    queryKey: ['emails', 'recipients', id],
    queryFn: ({ signal }) => api<List<EmailRecipient>>('GET', `emails/${segment(id)}/recipients`, { signal }),
    enabled: data !== undefined,
    refetchInterval: ({ state: { data: known } }) =>
      isVisible && data !== undefined && intervalOf(data.last_event, known?.data),
  });
  const all = recipients.data?.data ?? NONE;
  const progress = all.map(({ last_event, next_attempt_at }) => `${last_event} ${next_attempt_at}`).join();
  const isBehind =
    data !== undefined && all.length > 0 && all.every(({ last_event }) => last_event !== data.last_event);
  const known = useRef('');
  useEffect(() => {
    const hasChanged = known.current !== '' && known.current !== progress;
    known.current = progress;
    if (!hasChanged && !isBehind) return;
    void client.invalidateQueries({ queryKey: ['emails', 'one', id] });
    void client.invalidateQueries({ queryKey: ['emails', 'events', id] });
  }, [client, id, progress, isBehind]);
  const events = useQuery({
    queryKey: ['emails', 'events', id],
    queryFn: ({ signal }) => allEvents(id, signal),
    enabled: data !== undefined,
    refetchInterval: isVisible && data !== undefined && intervalOf(data.last_event, all),
  });
  return { email, recipients: all, events, isWhole: recipients.isFetched && events.isFetched };
}

const NONE: readonly EmailRecipient[] = [];

/** Events, newest first: all of them, or the newest {@link MAX_EVENTS}. */
async function allEvents(id: string, signal: AbortSignal): Promise<EmailEvent[]> {
  const events: EmailEvent[] = [];
  for (;;) {
    const query = queryOf({ limit: PAGE, after: events.at(-1)?.id });
    const { data, has_more: hasMore } = await api<List<EmailEvent>>('GET', `emails/${segment(id)}/events${query}`, {
      signal,
    });
    events.push(...data);
    if (!hasMore || events.length >= MAX_EVENTS) return events;
  }
}

/** The attachments of an email with links to their bytes; nothing for visitors who may not see them. */
export function useAttachments(id: string, mayRead: boolean) {
  return useQuery({
    queryKey: ['emails', 'attachments', id],
    queryFn: ({ signal }) => api<List<EmailAttachment>>('GET', `emails/${segment(id)}/attachments`, { signal }),
    select: ({ data }) => data,
    enabled: mayRead,
    refetchInterval: RENEWAL,
  });
}

/** The name of the email's topic, if it has one that still exists. */
export function useTopicName(id: string | null): string | undefined {
  const { data: session } = useQuery(sessionQuery);
  const { data } = useQuery({
    queryKey: ['topic name', id],
    queryFn: async ({ signal }) => (await api<Topic>('GET', `topics/${id}`, { signal })).name,
    enabled: id !== null && session?.features.topics === true,
    staleTime: 60_000,
  });
  return data;
}
