import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api, queryOf } from '../../api/client';
import type { Email, List } from '../../api/types';
import { useVisible } from '../../hooks/use-visible';
import { countNew, type EmailRow, openRows, rowsOf, withNewest, withOpen } from './email-row';

const PAGE = 50;
const NEWEST = 20;
/** Interval of polls for new emails while the page is visible. Milliseconds. */
const INTERVAL = 2_000;
/** The same for rows further down that are not final. */
const OPEN_INTERVAL = 5_000;
/** The same for a list that could not be read. */
const ERROR_INTERVAL = 10_000;

type Pages = InfiniteData<List<EmailRow>, string | undefined>;

/**
 * The emails that match the filters, newest first. New ones appear on top automatically; while the reader is elsewhere
 * in the list (`isAway`) they are held back and counted.
 */
export function useEmails(query: Record<string, string[]>, isAway: boolean) {
  const client = useQueryClient();
  const isVisible = useVisible();
  const queryKey = useMemo(() => ['emails', 'list', query], [query]);
  const ask = useCallback(
    async (page: Record<string, string | number | undefined>, signal: AbortSignal) =>
      rowsOf(await api<List<Email>>('GET', `emails${queryOf({ ...query, ...page })}`, { signal })),
    [query],
  );

  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask({ limit: PAGE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: hasMore, data }) => (hasMore ? data.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    // Only the visible part of a long list is refreshed: reading it again would cut it to its first page under the
    // reader.
    refetchInterval: ({ state }) => state.status === 'error' && ERROR_INTERVAL,
    enabled: ({ state }) => rowsIn(state.data) <= PAGE,
    gcTime: 0,
  });
  const rows = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);

  const newest = useQuery({
    queryKey: [...queryKey, 'newest'],
    queryFn: ({ signal }) => ask({ limit: NEWEST }, signal),
    enabled: isVisible && pages.isSuccess,
    refetchInterval: INTERVAL,
    gcTime: 0,
  });

  const [heldCount, setHeldCount] = useState(0);
  const { data: newestPage, dataUpdatedAt } = newest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is processed once, not each change of the list
  useEffect(() => {
    if (!newestPage || !pages.data) return;
    const next = withNewest(rows, newestPage);
    if (next === undefined) {
      // More arrived than one page has: start again.
      if (isAway) setHeldCount(countNew(rows, newestPage.data));
      else void client.resetQueries({ queryKey, exact: true });
      return;
    }
    const held = isAway ? countNew(rows, next) : 0;
    setHeldCount(held);
    put(next.slice(held));
  }, [newestPage, dataUpdatedAt]);

  const put = (next: readonly EmailRow[]) => {
    client.setQueryData<Pages>(queryKey, (known) => {
      const last = known?.pages.at(-1);
      // New rows must not be lost, so the next answer is compared again.
      if (!known || !last || known !== pages.data || isSame(next, rows)) return known;
      const hasMore = next.length >= rows.length ? last.has_more : (newestPage?.has_more ?? false) || last.has_more;
      return { pages: [{ ...last, has_more: hasMore, data: [...next] }], pageParams: [undefined] };
    });
  };

  const shown = useRef({ first: 0, last: 0 });
  const onShown = useCallback((first: number, last: number) => {
    shown.current = { first, last };
  }, []);
  const open = useQuery({
    queryKey: [...queryKey, 'open'],
    queryFn: async ({ signal }) => {
      const part = openRows(rows, shown.current, NEWEST);
      return part ? { part, answer: await ask({ limit: part.ids.length, after: part.after }, signal) } : null;
    },
    enabled: isVisible && pages.isSuccess,
    refetchInterval: OPEN_INTERVAL,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is processed once, not each change of the list
  useEffect(() => {
    if (open.data) put(withOpen(rows, open.data.part, open.data.answer));
  }, [open.data, open.dataUpdatedAt]);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const needMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const { refetch } = pages;
  // The end of a long list is missing in the answer, and must not be cut.
  const tryAgain = () => void (rows.length > PAGE ? fetchNextPage() : refetch());
  const showHeld = () => {
    setHeldCount(0);
    void client.resetQueries({ queryKey, exact: true });
  };

  return {
    rows,
    error: pages.error ?? newest.error,
    isPending: pages.isPending,
    hasMore: hasNextPage,
    needMore,
    onShown,
    tryAgain,
    heldCount,
    showHeld,
  };
}

function rowsIn(pages: Pages | undefined): number {
  return pages?.pages.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
}

function isSame(a: readonly EmailRow[], b: readonly EmailRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, last_event, scheduled_at }, at) => {
      const other = b[at];
      return other?.id === id && other.last_event === last_event && other.scheduled_at === scheduled_at;
    })
  );
}
