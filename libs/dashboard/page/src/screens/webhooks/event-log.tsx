import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookEvent } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import { logQuery } from './webhook-queries';

interface EventLogProps {
  webhookId: string;
  eventId: string | undefined;
}

/** Events sent to an endpoint, newest first. It updates while its top is visible. */
export function EventLog({ webhookId, eventId }: EventLogProps) {
  const [isAway, setAway] = useState(false);
  const [, navigate] = useLocation();
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    logQuery(webhookId, !isAway),
  );
  const items = data?.pages.flatMap((page) => page.data) ?? [];
  const needMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <div className="event-log">
      <h2>Events</h2>
      {error && <Problem what="The log could not be read" error={error} onRetry={() => void refetch()} />}
      {!error && !isPending && items.length === 0 ? (
        <Empty title="No events yet">
          <p>Events of the selected types appear here: send an email to trigger one.</p>
        </Empty>
      ) : (
        <VirtualList
          label="Events"
          items={items}
          idOf={({ id }) => id}
          row={(event) => <Row event={event} />}
          hrefOf={({ id }) => `/webhooks/${webhookId}/${id}`}
          chosenId={eventId}
          onClose={() => navigate(`/webhooks/${webhookId}`)}
          hasMore={hasNextPage}
          onNeedMore={needMore}
          onScrolled={setAway}
        />
      )}
    </div>
  );
}

function Row({ event: { type, status, created_at: createdAt } }: { event: WebhookEvent }) {
  return (
    <span className="event-row">
      <StateBadge state={status} />
      <span className="mono one-line">{type}</span>
      <span className="soft">
        <Time value={createdAt} />
      </span>
    </span>
  );
}
