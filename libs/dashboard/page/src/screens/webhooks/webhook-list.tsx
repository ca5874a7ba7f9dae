import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { sessionQuery } from '../../api/session';
import type { Webhook } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import { summaryOf } from './event-groups';
import { WebhookForm } from './webhook-form';
import { webhooksQuery } from './webhook-queries';

const EXAMPLE = { endpoint: 'https://example.com/webhooks', events: ['email.delivered', 'email.bounced'] };

/** All endpoints of the account. */
export function WebhookList() {
  const { data: session } = useQuery(sessionQuery);
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [isMaking, setMaking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <ScreenHead title="Webhooks">
        <button type="button" className="primary end" onClick={() => setMaking(true)}>
          New webhook
        </button>
      </ScreenHead>
      {error && <Problem what="The webhooks could not be listed" error={error} onRetry={() => void refetch()} />}
      {!error && data?.length === 0 ? (
        <Empty title="No webhooks yet" curl={curlOf(session?.apiUrl ?? '', 'POST', 'webhooks', EXAMPLE)}>
          <p>A webhook notifies your server of the events of emails. Create one here, or with the API:</p>
        </Empty>
      ) : (
        <VirtualList
          label="Webhooks"
          items={data ?? []}
          idOf={({ id }) => id}
          rowHeight={56}
          row={(webhook) => <Row webhook={webhook} />}
          hrefOf={({ id }) => `/webhooks/${id}`}
        />
      )}
      {isMaking && <WebhookForm onSaved={(id) => navigate(`/webhooks/${id}`)} onClose={() => setMaking(false)} />}
    </>
  );
}

function Row({ webhook: { endpoint, events, status, created_at: createdAt } }: { webhook: Webhook }) {
  return (
    <span className="webhook-row">
      <StateBadge state={status} />
      <span className="what">
        <span className="mono one-line">{endpoint}</span>
        <span className="soft one-line">{summaryOf(events)}</span>
      </span>
      <span className="soft count">
        {events.length} {events.length === 1 ? 'event' : 'events'}
      </span>
      <span className="soft when">
        <Time value={createdAt} />
      </span>
    </span>
  );
}
