import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { ask } from '../api/client';
import type { Session } from '../api/session';
import { useNow } from '../hooks/use-now';
import { useVisible } from '../hooks/use-visible';
import { type Outage, outageSentence } from '../parts/outages';
import { TEXTS } from './texts';

/** Polling interval. Milliseconds. Each answer is small: an open page costs little. */
const INTERVAL = 30_000;

/** One sentence on every screen while mail is late: what is wrong since when, and how many emails wait. */
export function OutageBanner({ features, degraded }: Pick<Session, 'features' | 'degraded'>) {
  const isVisible = useVisible();
  const [location] = useLocation();
  const now = useNow();
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => ask<{ degraded: Outage | null }>('GET', 'status', { signal }),
    // Known with the session, so that it does not move the first screen.
    initialData: { degraded },
    enabled: isVisible && features.status === true,
    refetchInterval: INTERVAL,
    // A status that cannot be read is no reason for a message: the screens say that themselves.
    retry: false,
  });
  // Health says it itself.
  const outage = location === '/health' ? null : data.degraded;
  return (
    <div role="status" className="outage">
      {outage && (
        <p>
          <TriangleAlert className="icon" size={16} aria-hidden="true" />
          <span>{outageSentence(outage, null, now)}</span>
          {features.operations && <Link href="/health">{TEXTS.outage.details}</Link>}
        </p>
      )}
    </div>
  );
}
