import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client';
import { sessionQuery } from './session';

/** Asks no refusal again: only silence and what the server says will pass. Who is not signed in any more is asked to sign in. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteSignOut }),
  mutationCache: new MutationCache({ onError: noteSignOut }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && error instanceof ApiProblem && [0, 503].includes(error.status),
      staleTime: 1_000,
    },
  },
});

function noteSignOut(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}
