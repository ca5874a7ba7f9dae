import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, api } from './client';
import { segment } from './segment';
import type { Suppression } from './types';

/** Other texts name no entry; `export` is a file of the API. */
const NAMES_ONE = /@|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Statuses for an unknown entry, and for texts that no address can be. */
const NONE: readonly number[] = [400, 404, 414, 422];

/** The entry with this id, or of this address in any spelling; null without one. */
export const suppressionQuery = (idOrAddress: string) =>
  queryOptions({
    queryKey: ['suppression', idOrAddress],
    retryOnMount: false,
    queryFn: async ({ signal }): Promise<Suppression | null> => {
      if (!NAMES_ONE.test(idOrAddress)) return null;
      try {
        return await api<Suppression>('GET', `suppressions/${segment(idOrAddress)}`, { signal });
      } catch (error) {
        if (error instanceof ApiProblem && NONE.includes(error.status)) return null;
        throw error;
      }
    },
  });
