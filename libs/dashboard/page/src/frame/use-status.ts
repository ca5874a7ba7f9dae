import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client';
import type { Session } from '../api/session';
import { useVisible } from '../hooks/use-visible';

/** Polling interval. Milliseconds. Each answer is small: an open page costs little. */
const INTERVAL = 30_000;

type Status = Pick<Session, 'degraded' | 'staging' | 'paused'>;

/** The state that the banners show. It is known with the session, so that they do not move the first screen. */
export function useStatus({ features, degraded, staging, paused }: Status & Pick<Session, 'features'>): Status {
  const isVisible = useVisible();
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => ask<Status>('GET', 'status', { signal }),
    initialData: { degraded, staging, paused },
    enabled: isVisible && features.status === true,
    refetchInterval: INTERVAL,
    // A status that cannot be read is no reason for a message: the screens say that themselves.
    retry: false,
  });
  return data;
}
