import { TriangleAlert } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useNow } from '../hooks/use-now';
import { type Outage, outageSentence } from '../parts/outages';
import { TEXTS } from './texts';

interface OutageBannerProps {
  degraded: Outage | null;
  /** True if there is a screen with more about it. */
  hasHealth: boolean;
}

/** One sentence on every screen while mail is late: what is wrong since when, and how many emails wait. */
export function OutageBanner({ degraded, hasHealth }: OutageBannerProps) {
  const [location] = useLocation();
  const now = useNow();
  // Health says it itself.
  const outage = location === '/health' ? null : degraded;
  return (
    <div role="status" className="outage">
      {outage && (
        <p>
          <TriangleAlert className="icon" size={16} aria-hidden="true" />
          <span>{outageSentence(outage, null, now)}</span>
          {hasHealth && <Link href="/health">{TEXTS.outage.details}</Link>}
        </p>
      )}
    </div>
  );
}
