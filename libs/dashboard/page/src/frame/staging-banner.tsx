import { FlaskConical } from 'lucide-react';
import type { Session } from '../api/session';
import { stagingSentence } from '../parts/staging';

/** One sentence on every screen while the staging switch is on: who gets mail here. */
export function StagingBanner({ staging }: Pick<Session, 'staging'>) {
  if (!staging) return null;
  return (
    <p role="note" className="staging">
      <FlaskConical className="icon" size={16} aria-hidden="true" />
      <span>{stagingSentence(staging)}</span>
    </p>
  );
}
