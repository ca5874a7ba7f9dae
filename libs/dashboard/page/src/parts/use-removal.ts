import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { changePages } from '../api/change-pages';
import { api } from '../api/client';
import { useToast } from './toast';

interface Removal {
  /** Path of the list in the API, and of its screen. */
  list: string;
  id: string;
  /** Says that it is done. */
  done: string;
  /** Updates other queries that have the row. Default: none have it. */
  forget?: (client: QueryClient) => Promise<void>;
}

/** Removes a row, takes it out of its list, and goes there. */
export function useRemoval({ list, id, done, forget }: Removal) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  return useMutation({
    mutationFn: () => api('DELETE', `${list}/${id}`),
    onSuccess: () => {
      changePages(client, list, { goneId: id });
      void forget?.(client);
      toast(done);
      navigate(`/${list}`);
    },
  });
}
