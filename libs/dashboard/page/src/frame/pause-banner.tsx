import { CirclePause } from 'lucide-react';
import { Link } from 'wouter';
import type { Session } from '../api/session';
import { plainName } from '../parts/plain-name';
import { ExactTime } from '../parts/time';
import { TEXTS } from './texts';

const texts = TEXTS.paused;

interface PauseBannerProps extends Pick<Session, 'paused'> {
  /** True if there is a screen where it can be ended. */
  hasHealth: boolean;
}

/** One sentence on every screen while the mail of the visitor is paused. */
export function PauseBanner({ paused, hasHealth }: PauseBannerProps) {
  if (!paused) return null;
  return (
    <p role="note" className="paused">
      <CirclePause className="icon" size={16} aria-hidden="true" />
      <span>
        {texts[paused.what]} <bdi>{plainName(paused.reason)}</bdi> ({texts.since} <ExactTime value={paused.since} />)
      </span>
      {hasHealth && <Link href="/health">{TEXTS.outage.details}</Link>}
    </p>
  );
}
