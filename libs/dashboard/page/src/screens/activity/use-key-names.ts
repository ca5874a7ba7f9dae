import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { ApiKey } from '../../api/types';
import type { KeyNames } from './actions';

/** Names of the account's keys; undefined until all are read, and at a host without keys. */
export function useKeyNames(): KeyNames {
  const { data: session } = useQuery(sessionQuery);
  const hasKeys = session?.features.apiKeys === true;
  const { items, isSuccess, hasNextPage, needMore } = usePages<ApiKey>('api-keys', { limit: 100, enabled: hasKeys });
  useEffect(needMore, [needMore]);
  const isComplete = isSuccess && !hasNextPage;
  return useMemo(
    () => (isComplete ? new Map(items.map(({ id, name }) => [id, name] as const)) : undefined),
    [isComplete, items],
  );
}
