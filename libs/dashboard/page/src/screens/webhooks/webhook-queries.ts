import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryOf } from '../../api/client';
import { segment } from '../../api/segment';
import type { List, Webhook, WebhookAttempt, WebhookEvent, WebhookStatistics } from '../../api/types';

/** Polling interval. Milliseconds. */
const SOON = 1_000;
const OFTEN = 3_000;
const SELDOM = 10_000;

/** All endpoints. The server disables one that fails for days. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await api<List<Webhook>>('GET', 'webhooks', { signal })).data,
  refetchInterval: SELDOM,
});

/** The latest events of all endpoints in numbers. */
export const statisticsQuery = queryOptions({
  queryKey: ['webhook statistics'],
  queryFn: async ({ signal }) => (await api<List<WebhookStatistics>>('GET', 'webhooks/statistics', { signal })).data,
  refetchInterval: SELDOM,
});

/** Key of the log of an endpoint. */
export const logKey = (id: string) => ['webhook log', id] as const;

/** One endpoint, with its signing secret. */
export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => api<Webhook>('GET', `webhooks/${segment(id)}`, { signal }),
    staleTime: SELDOM,
  });
}

/** The log of an endpoint, polled at the same rate for any number of read pages. */
export function logQuery(id: string, isFollowed: boolean) {
  return infiniteQueryOptions({
    queryKey: logKey(id),
    queryFn: ({ pageParam, signal }) =>
      api<List<WebhookEvent>>('GET', `webhooks/${segment(id)}/events${queryOf({ limit: 50, after: pageParam })}`, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: hasMore, data }: List<WebhookEvent>) => (hasMore ? data.at(-1)?.id : undefined),
    refetchInterval: ({ state }: { state: { data: InfiniteData<List<WebhookEvent>> | undefined } }) =>
      isFollowed && OFTEN * (state.data?.pages.length ?? 1),
  });
}

/** One event with its payload, polled until it is final. */
export function eventQuery(id: string, eventId: string) {
  return queryOptions({
    queryKey: ['webhook event', id, eventId],
    queryFn: ({ signal }) => api<WebhookEvent>('GET', `webhooks/${segment(id)}/events/${segment(eventId)}`, { signal }),
    refetchInterval: ({ state }) => (isAtEnd(state.data) ? SELDOM : OFTEN),
  });
}

/**
 * Its attempts, newest first.
 *
 * @param before the newest one, or null, at the time of a replay, whose attempt is awaited
 */
export function attemptsQuery(id: string, event: WebhookEvent | undefined, before: string | null | undefined) {
  return queryOptions({
    // Read again when the event has ended: the last attempt may have come since.
    queryKey: ['webhook attempts', id, event?.id, event?.status],
    placeholderData: keepPreviousData,
    enabled: event !== undefined,
    queryFn: async ({ signal }) =>
      (
        await api<List<WebhookAttempt>>('GET', `webhooks/${segment(id)}/events/${event?.id}/attempts?limit=100`, {
          signal,
        })
      ).data,
    refetchInterval: ({ state }) => {
      if (state.data && (state.data[0]?.id ?? null) === before) return SOON;
      return isAtEnd(event) ? false : OFTEN;
    },
  });
}

function isAtEnd(event: WebhookEvent | undefined): boolean {
  return event?.status === 'success' || event?.status === 'failed';
}
