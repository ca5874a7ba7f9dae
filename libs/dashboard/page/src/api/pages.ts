import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, queryOf } from './client';
import type { List } from './types';

interface PagesOptions {
  /** Filters of the API, except `limit` and `after`. */
  query?: Record<string, string | readonly string[] | undefined>;
  /** Rows of one page. Default: 50. */
  limit?: number;
  /** False: nothing is read. */
  enabled?: boolean;
}

/** Long lists are not refreshed automatically, which would take a request for each page. */
function isShort({ state }: { state: { data?: unknown } }): boolean {
  return ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) <= 2;
}

/** All read pages of a list as one list, newest first, with a function that reads the next. */
export function usePages<Item extends { id: string }>(
  path: string,
  { query = {}, limit = 50, enabled = true }: PagesOptions = {},
) {
  const pages = useInfiniteQuery({
    enabled,
    queryKey: ['list', path, query, limit],
    queryFn: ({ pageParam, signal }) =>
      api<List<Item>>('GET', `${path}${queryOf({ ...query, limit, after: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: hasMore, data }) => (hasMore ? data.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const items = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const needMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { ...pages, items, needMore };
}
