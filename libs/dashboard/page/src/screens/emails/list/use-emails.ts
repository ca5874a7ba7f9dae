import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem, api, queryOf } from '../../../api/client';
import type { List } from '../../../api/types';
import { useVisible } from '../../../hooks/use-visible';
import { countNew, type EmailRow, isSame, openRows, withNewest, withOpen } from './email-row';
import { newPace } from './pace';
import { useActivity } from './use-activity';

const PAGE = 50;
/** The newest rows of a list that emails enter by their state. */
const NEWEST = 10;
/** New rows of one request. */
const NEW = 100;
/** Interval of requests for new rows: at first, and while nothing happens. Milliseconds. */
const PACE = [2_000, 16_000] as const;
/** The same for larger answers. */
const SLOW_PACE = [4_000, 60_000] as const;
/** The same for a list that could not be read. */
const ERROR_INTERVAL = 10_000;

type Pages = InfiniteData<List<EmailRow>, string | undefined>;

interface EmailsOptions {
  /** Parameters of the API. */
  query: Readonly<Record<string, string[]>>;
  isEnabled: boolean;
  /** True while new rows must not move the others. */
  isHeld: boolean;
}

/**
 * The emails that match, newest first. New ones appear on top automatically; while `isHeld`, they are held back and
 * counted. A request asks only for rows that are newer than the first known one. Emails enter a list of certain states
 * at any place, so there the newest rows are asked for.
 */
export function useEmails({ query, isEnabled, isHeld }: EmailsOptions) {
  const client = useQueryClient();
  const isVisible = useVisible();
  const queryKey = useMemo(() => ['emails', 'list', query], [query]);
  const isByState = query.last_event !== undefined;
  const ask = useCallback(
    (page: Record<string, string | number | undefined>, signal: AbortSignal) =>
      api<List<EmailRow>>('GET', `emails${queryOf({ ...query, fields: 'summary', ...page })}`, { signal }),
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
    refetchInterval: ({ state }) => state.status === 'error' && !isRefusal(state.error) && ERROR_INTERVAL,
    enabled: ({ state }) => isEnabled && rowsIn(state.data) <= PAGE,
    gcTime: 0,
  });
  const rows = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);

  const put = (next: readonly EmailRow[], hasMore?: boolean) => {
    client.setQueryData<Pages>(queryKey, (known) => {
      const last = known?.pages.at(-1);
      // New rows must not be lost, so the next answer is compared again.
      if (!known || !last || known !== pages.data || isSame(next, rows)) return known;
      return {
        pages: [{ ...last, has_more: hasMore ?? last.has_more, data: [...next] }],
        pageParams: [undefined],
      };
    });
  };
  const startAgain = () => void client.resetQueries({ queryKey, exact: true });

  const [held, setHeld] = useState<readonly EmailRow[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search holds nothing back
  useEffect(() => setHeld([]), [queryKey]);
  const first = (held[0] ?? rows[0])?.id;
  const [pace] = useState(() => newPace(...PACE));
  const [slowPace] = useState(() => newPace(...SLOW_PACE));
  const newest = useQuery({
    queryKey: [...queryKey, 'newest'],
    queryFn: async ({ signal }) => {
      const isWhole = isByState || first === undefined;
      const page = await ask(isWhole ? { limit: NEWEST } : { limit: NEW, before: first }, signal);
      const hasChanged = isWhole ? !isSame(page.data, rows.slice(0, page.data.length)) : page.data.length > 0;
      (isByState ? slowPace : pace).note(hasChanged);
      return { page, isWhole };
    },
    enabled: isVisible && pages.isSuccess,
    refetchInterval: () => (isByState ? slowPace : pace).interval(),
    gcTime: 0,
  });
  const { data: answer, dataUpdatedAt } = newest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is processed once, not each change of the list
  useEffect(() => {
    if (!answer || !pages.data) return;
    const { page, isWhole } = answer;
    const known = new Set([...held, ...rows].map(({ id }) => id));
    if (!isWhole) {
      const added = [...page.data.filter(({ id }) => !known.has(id)), ...held];
      setHeld(isHeld ? added : []);
      if (!isHeld && added.length > 0) put([...added, ...rows]);
      return;
    }
    const next = withNewest(rows, page);
    // More arrived than the page has.
    if (next === undefined && !isHeld) return startAgain();
    const count = next === undefined ? page.data.length : countNew(rows, next);
    setHeld(isHeld ? page.data.slice(0, count) : []);
    if (next === undefined) return;
    const kept = isHeld ? next.slice(count) : next;
    put(kept, kept.length < rows.length ? page.has_more : undefined);
  }, [answer, dataUpdatedAt]);
  // The row before which new ones are asked for was deleted.
  const isLost = isRefusal(newest.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (isLost) startAgain();
  }, [isLost]);

  const shown = useRef({ first: 0, last: 0 });
  const onShown = useCallback((firstShown: number, lastShown: number) => {
    shown.current = { first: firstShown, last: lastShown };
  }, []);
  const [openPace] = useState(() => newPace(...SLOW_PACE));
  const open = useQuery({
    queryKey: [...queryKey, 'open'],
    queryFn: async ({ signal }) => {
      const part = openRows(rows, shown.current, Date.now());
      if (!part) return null;
      const page = await ask({ limit: part.ids.length, after: part.after }, signal);
      openPace.note(!isSame(withOpen(rows, part, page), rows));
      return { part, page };
    },
    enabled: isVisible && pages.isSuccess,
    refetchInterval: () => openPace.interval(),
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is processed once, not each change of the list
  useEffect(() => {
    if (open.data) put(withOpen(rows, open.data.part, open.data.page));
  }, [open.data, open.dataUpdatedAt]);

  const refresh = () => {
    for (const one of [pace, slowPace, openPace]) one.note(true);
    if (!pages.isSuccess) return;
    void newest.refetch();
    void open.refetch();
  };
  useActivity(refresh, PACE[0]);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const needMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const { refetch } = pages;
  const showHeld = () => {
    setHeld([]);
    if (isByState) startAgain();
    else put([...held, ...rows]);
  };

  return {
    rows,
    error: pages.error ?? (isLost ? null : newest.error),
    isPending: pages.isPending,
    hasMore: hasNextPage,
    needMore,
    onShown,
    // The end of a long list is missing in the answer, and must not be cut.
    tryAgain: () => void (rows.length > PAGE ? fetchNextPage() : refetch()),
    heldCount: held.length,
    showHeld,
    refresh,
  };
}

/** True for an answer that another try does not change. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 422;
}

function rowsIn(pages: Pages | undefined): number {
  return pages?.pages.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
}
