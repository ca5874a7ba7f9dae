import { queryOptions } from '@tanstack/react-query';
import { api, fetchMounted, queryOf } from '../../../api/client';
import { segment } from '../../../api/segment';
import type { EmailAction } from '../../../api/types';
import { saveFile } from '../../../parts/save-file';
import type { EmailRow } from '../list/email-row';
import { csvOf } from './rows-csv';

/** Interval of requests for the progress of a running action. Milliseconds. */
const PROGRESS = 1_000;

/** Name of the file. */
const NAME = 'emails.csv';

type Query = Readonly<Record<string, string[]>>;

/** The number of emails that match. */
export const countQuery = (query: Query) =>
  queryOptions({
    queryKey: ['emails', 'count', query],
    queryFn: async ({ signal }) =>
      (await api<{ count: number }>('GET', `emails/count${queryOf(query)}`, { signal })).count,
    gcTime: 0,
    staleTime: 10_000,
  });

/** An action on many emails, asked for until it is completed. */
export const actionQuery = (id: string) =>
  queryOptions({
    queryKey: ['email action', id],
    queryFn: ({ signal }) => api<EmailAction>('GET', `emails/actions/${segment(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : PROGRESS),
    staleTime: ({ state }) => (state.data?.status === 'completed' ? Number.POSITIVE_INFINITY : 0),
  });

/** Saves all emails that match as a file. */
export async function saveMatching(query: Query): Promise<void> {
  const response = await fetchMounted('GET', `api/emails/export${queryOf(query)}`);
  saveFile(await response.blob(), NAME);
}

/** The same for rows of the list. */
export function saveRows(rows: readonly EmailRow[]): void {
  saveFile(new Blob([csvOf(rows)], { type: 'text/csv; charset=utf-8; header=present' }), NAME);
}
