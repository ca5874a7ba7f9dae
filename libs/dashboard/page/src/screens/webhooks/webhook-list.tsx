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
import { SuccessRate } from './success-rate';
import { TEXTS } from './texts';
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
      <ScreenHead title={TEXTS.title}>
        <button type="button" className="primary end" onClick={() => setMaking(true)}>
          {TEXTS.new}
        </button>
      </ScreenHead>
      {error && <Problem what={TEXTS.listFailed} error={error} onRetry={() => void refetch()} />}
      {!error && data?.length === 0 ? (
        <Empty title={TEXTS.emptyTitle} curl={curlOf(session?.apiUrl ?? '', 'POST', 'webhooks', EXAMPLE)}>
          <p>{TEXTS.emptyLead}</p>
        </Empty>
      ) : (
        <VirtualList
          label={TEXTS.list}
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

function Row({ webhook: { id, endpoint, events, status, created_at: createdAt } }: { webhook: Webhook }) {
  return (
    <span className="webhook-row">
      <StateBadge state={status} />
      <span className="what">
        <span className="mono one-line">{endpoint}</span>
        <span className="soft one-line">{summaryOf(events)}</span>
      </span>
      <SuccessRate webhookId={id} />
      <span className="soft when">
        <Time value={createdAt} />
      </span>
    </span>
  );
}
