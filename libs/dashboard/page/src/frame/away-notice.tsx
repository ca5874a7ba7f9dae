import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAway } from '../api/connection';
import { sessionQuery } from '../api/session';

/** One quiet line while the server is away. Asks whether it is back, and then for all that is shown. */
export function AwayNotice() {
  const client = useQueryClient();
  const away = useAway();
  useEffect(() => {
    if (!away) return undefined;
    // Silence is asked again until it ends, so that this is all that it takes.
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    return () => void client.invalidateQueries();
  }, [away, client]);
  return (
    <div role="status" className="away">
      {away && <p>The server does not answer. This page goes on by itself when it does.</p>}
    </div>
  );
}
