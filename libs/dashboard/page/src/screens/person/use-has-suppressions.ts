import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session';

/** True if the host keeps a suppression list. */
export function useHasSuppressions(): boolean {
  return useQuery(sessionQuery).data?.features.suppressions === true;
}
