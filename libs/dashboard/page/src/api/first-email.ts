import { queryOptions } from '@tanstack/react-query';
import { api } from './client';
import type { Email, List } from './types';

/** Interval of looks for the first email, while its screen is shown. Milliseconds. */
const INTERVAL = 1_500;

/** The newest email of the account; null: it never sent one. Once there is one, it is not asked for again. */
export const firstEmailQuery = queryOptions({
  queryKey: ['first email'],
  queryFn: async ({ signal }) =>
    (await api<List<Email>>('GET', 'emails?limit=1&fields=summary', { signal })).data[0] ?? null,
  staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
});

/** The same, asked for until there is one. */
export const awaitedFirstEmailQuery = queryOptions({
  ...firstEmailQuery,
  refetchInterval: ({ state }) => (state.data ? false : INTERVAL),
});
