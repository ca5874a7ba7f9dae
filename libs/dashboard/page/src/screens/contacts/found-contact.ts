import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Contact } from '../../api/types';

/** The contact with this address, or id. */
export const foundContact = (wanted: string) =>
  queryOptions({
    queryKey: ['found contact', wanted],
    queryFn: ({ signal }) => api<Contact>('GET', `contacts/${encodeURIComponent(wanted)}`, { signal }),
  });
