import { keepPreviousData, type QueryClient, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { HtmlUse } from '../../../../src/inbox/html-support';
import { readInboxSearch } from '../../../../src/inbox/inbox-search';
import type { InboxSignatures } from '../../../../src/inbox/inbox-signatures';
import { ask, fetchMounted, queryOf } from '../../api/client';
import { segment } from '../../api/segment';
import type { List } from '../../api/types';
import { useVisible } from '../../hooks/use-visible';

/** A message in the list. Its addresses are those of the envelope. */
export interface InboxEntry {
  id: string;
  from: string;
  to: string[];
  subject: string;
  received_at: string;
  size: number;
  attachments: number;
}

/** Effect of an address on mail for it. */
export interface Hint {
  address: string;
  effect: string;
}

interface InboxList extends List<InboxEntry> {
  /** Number of matches. */
  total: number;
  /** Total number. */
  kept: number;
  hints: Hint[];
  /** Messages can be released to a real server. */
  can_release: boolean;
}

export interface InboxAttachment {
  index: number;
  filename: string | null;
  content_type: string;
  size: number;
  content_id: string | null;
  is_image: boolean;
}

/** A parsed message. All of it comes from strangers. */
export interface InboxMessage {
  id: string;
  /** Bytes. */
  size: number;
  from: string;
  to: string[];
  cc: string[];
  envelope: { from: string; to: string[] };
  subject: string;
  date: string | null;
  headers: { name: string; value: string }[];
  text: string | null;
  has_html: boolean;
  remote_images: number;
  unsupported: HtmlUse[];
  attachments: InboxAttachment[];
  /** Id of our email with this message. */
  email_id: string | null;
  /** Null where the inbox does not verify signatures. */
  dkim: InboxSignatures | null;
}

/** The real server's answer to one recipient. */
export interface ReleasedRecipient {
  address: string;
  accepted: boolean;
  reply: string;
}

/** Interval of polls for new ones. Milliseconds. */
const INTERVAL = 2_000;

/** Usually all messages, so that one request suffices. */
const PAGE_SIZE = 200;

const LIST = ['inbox', 'list'] as const;

/**
 * Messages of the inbox that match the search, newest first, refreshed while the page is visible. A search that is not
 * understood is not asked for, and has no messages.
 */
export function useInbox(search: string) {
  const understood = readInboxSearch(search);
  const problem = typeof understood === 'string' ? understood : undefined;
  const isVisible = useVisible();
  const pages = useInfiniteQuery({
    queryKey: [...LIST, search],
    enabled: problem === undefined,
    queryFn: ({ pageParam, signal }) =>
      ask<InboxList>('GET', `inbox/messages${queryOf({ search, limit: PAGE_SIZE, after: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: hasMore, data }) => (hasMore ? data.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: isVisible && INTERVAL,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = pages;
  const entries = useMemo(
    () => (problem === undefined ? (data?.pages.flatMap((page) => page.data) ?? []) : []),
    [data, problem],
  );
  const needMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const { hints = [], total = 0, kept = 0, can_release: canRelease = false } = data?.pages[0] ?? {};
  return { ...pages, entries, hints, total, kept, canRelease, problem, needMore };
}

/** One message, which changes only until its signatures are verified. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'message', id],
    queryFn: ({ signal }) => ask<InboxMessage>('GET', pathOf(id), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data?.dkim?.status === 'pending' && INTERVAL,
  });

/** Deletes one message. @throws ApiProblem */
export async function deleteMessage(id: string, client: QueryClient): Promise<void> {
  await fetchMounted('DELETE', pathOf(id));
  await client.invalidateQueries({ queryKey: LIST });
}

/** Deletes all messages. @throws ApiProblem */
export async function deleteAll(client: QueryClient): Promise<void> {
  await fetchMounted('DELETE', 'inbox/messages');
  await client.invalidateQueries({ queryKey: LIST });
}

/** Sends a message to real mailboxes. @throws ApiProblem */
export async function releaseMessage(id: string, to: readonly string[]): Promise<ReleasedRecipient[]> {
  return (await ask<{ recipients: ReleasedRecipient[] }>('POST', `${pathOf(id)}/release`, { body: { to } })).recipients;
}

/** Path of a message below the mount path. */
export function pathOf(id: string): string {
  return `inbox/messages/${segment(id)}`;
}
