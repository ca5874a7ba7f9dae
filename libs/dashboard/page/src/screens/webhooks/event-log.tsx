import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookEvent } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ROW_HEIGHT, Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import { TEXTS } from './texts';
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
      <h2>{TEXTS.log}</h2>
      {error && <Problem what={TEXTS.logFailed} error={error} onRetry={() => void refetch()} />}
      {!error && !isPending && items.length === 0 ? (
        <Empty title={TEXTS.logEmptyTitle}>
          <p>{TEXTS.logEmptyLead}</p>
        </Empty>
      ) : (
        <VirtualList
          label={TEXTS.log}
          items={items}
          rowHeight={ROW_HEIGHT}
          idOf={({ id }) => id}
          row={(event) => <EventRow event={event} />}
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

function EventRow({ event }: { event: WebhookEvent }) {
  const { type, status, created_at: createdAt, recipient, attempts, email_id: emailId } = event;
  return (
    <Row
      title={<span className="mono">{type}</span>}
      second={
        <>
          <span className="stranger">{recipient ?? (emailId !== null && TEXTS.several)}</span>{' '}
          <span className="soft">{TEXTS.attempts(attempts)}</span>
        </>
      }
      time={<Time value={createdAt} />}
      mark={<StateBadge state={status} />}
    />
  );
}
