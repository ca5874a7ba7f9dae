import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client';
import { retryDelay, shouldRetry } from './retries';
import { sessionQuery } from './session';

/**
 * Retries temporary problems; see `shouldRetry`. An ended session leads to the sign-in. Requests do not wait for the
 * browser's "online" state, because the server may be on this machine.
 */
export const queryClient = new QueryClient({
  mutationCache: new MutationCache({ onError: noteSignOut }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: (failures, error) => {
        noteSignOut(error);
        return shouldRetry(failures, error);
      },
      retryDelay,
      staleTime: 1_000,
    },
    mutations: { networkMode: 'always' },
  },
});

function noteSignOut(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}
