import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client';
import type { List, Topic } from '../../../api/types';

/** Names of the topics by their ids. Without topics, or with more than a page of them, some are missing. */
export const topicNamesQuery = queryOptions({
  queryKey: ['topic names'],
  queryFn: async ({ signal }) => {
    const { data } = await api<List<Topic>>('GET', 'topics?limit=100', { signal });
    return new Map(data.map(({ id, name }) => [id, name]));
  },
  staleTime: 300_000,
  retry: false,
});
