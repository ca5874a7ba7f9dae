import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAway } from '../api/connection';
import { sessionQuery } from '../api/session';
import { TEXTS } from './texts';

/** One line while the server is away. Polls the server, and refreshes all shown data once it is back. */
export function AwayNotice() {
  const client = useQueryClient();
  const away = useAway();
  useEffect(() => {
    if (!away) return undefined;
    // Missing answers are retried until one arrives, so this is enough.
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    return () => void client.invalidateQueries();
  }, [away, client]);
  return (
    <div role="status" className="away">
      {away && <p>{TEXTS.away}</p>}
    </div>
  );
}
