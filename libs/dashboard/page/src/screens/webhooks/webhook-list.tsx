import { useQuery } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { sessionQuery } from '../../api/session';
import type { Webhook } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { PagedList } from '../../parts/paged-list';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { summaryOf } from './event-groups';
import { SuccessRate } from './success-rate';
import { TEXTS } from './texts';
import { WebhookForm } from './webhook-form';
import { webhooksQuery } from './webhook-queries';

const EXAMPLE = { endpoint: 'https://example.com/webhooks', events: ['email.delivered', 'email.bounced'] };

/** All endpoints of the account. */
export function WebhookList() {
  const { data: items = [], error, isPending, refetch } = useQuery(webhooksQuery);
  const [isMaking, setMaking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <button type="button" className="primary end" onClick={() => setMaking(true)}>
          {TEXTS.new}
        </button>
      </ScreenHead>
      <PagedList
        pages={{ items, error, isPending, refetch }}
        failure={TEXTS.listFailed}
        meaning={TEXTS.form.meaning}
        empty={<NoWebhooks />}
        label={TEXTS.list}
        idOf={({ id }) => id}
        row={(webhook) => <WebhookRow webhook={webhook} />}
        hrefOf={({ id }) => `/webhooks/${id}`}
      />
      {isMaking && <WebhookForm onSaved={(id) => navigate(`/webhooks/${id}`)} onClose={() => setMaking(false)} />}
    </>
  );
}

function WebhookRow({ webhook: { id, endpoint, events, status, created_at: createdAt } }: { webhook: Webhook }) {
  return (
    <Row
      title={<bdi className="mono">{plainName(endpoint)}</bdi>}
      second={
        <>
          <SuccessRate webhookId={id} />
          <span className="one-line">{summaryOf(events)}</span>
        </>
      }
      time={<Time value={createdAt} />}
      mark={<StateBadge state={status} />}
    />
  );
}

function NoWebhooks() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      icon={WebhookIcon}
      title={TEXTS.emptyTitle}
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'webhooks', EXAMPLE)}
    >
      <p>{TEXTS.emptyLead}</p>
    </Empty>
  );
}
