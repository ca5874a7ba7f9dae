import { useQuery } from '@tanstack/react-query';
import { api } from '../../../../api/client';
import type { ListedDomain } from '../../../../api/domains';
import { sessionQuery } from '../../../../api/session';
import type { List } from '../../../../api/types';

/** A domain of the account; null for none, undefined until it is known, and on hosts without domains. */
export function useSenderDomain(name: string) {
  const { data: session } = useQuery(sessionQuery);
  return useQuery({
    enabled: session?.features.domains === true,
    queryKey: ['domains', 'all'],
    queryFn: ({ signal }) => api<List<ListedDomain>>('GET', 'domains', { signal }),
    staleTime: 60_000,
    select: ({ data }) => data.find((domain) => domain.name === name) ?? null,
  });
}
