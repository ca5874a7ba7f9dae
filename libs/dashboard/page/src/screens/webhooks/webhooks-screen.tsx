import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { Empty } from '../../parts/empty';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { DetailSkeleton } from '../../parts/skeleton';
import { EventDetail } from './event-detail';
import { EventLog } from './event-log';
import { TEXTS } from './texts';
import { WebhookHead } from './webhook-head';
import { WebhookList } from './webhook-list';
import { webhookQuery, webhooksQuery } from './webhook-queries';
import './webhooks.css';

/** Endpoints for events, their event types, and their answers. */
export default function WebhooksScreen() {
  const { id, eventId } = useParams<{ id?: string; eventId?: string }>();
  return id === undefined ? <WebhookList /> : <OneWebhook key={id} id={id} eventId={eventId} />;
}

function OneWebhook({ id, eventId }: { id: string; eventId: string | undefined }) {
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [, navigate] = useLocation();
  const leave = () => navigate('/webhooks');
  useShortcuts({ ...(eventId === undefined && { Escape: leave }) });
  const webhook = data?.find((known) => known.id === id);
  // The secret is shown above the events, and must not push them down.
  const secret = useQuery({ ...webhookQuery(id), enabled: webhook !== undefined });
  if (!data || (webhook && secret.isPending)) {
    return error ? (
      <Problem what={TEXTS.readFailed} error={error} onRetry={() => void refetch()} />
    ) : (
      <DetailSkeleton />
    );
  }
  if (!webhook) {
    return (
      <Empty title={TEXTS.missingTitle}>
        <p>
          {TEXTS.missingLead} <Link href="/webhooks">{TEXTS.all}</Link>
        </p>
      </Empty>
    );
  }
  return (
    <Panes
      back={{ href: `/webhooks/${id}`, title: TEXTS.one }}
      list={
        <>
          <WebhookHead webhook={webhook} />
          <EventLog webhookId={id} eventId={eventId} />
        </>
      }
      detail={eventId !== undefined && <EventDetail key={eventId} webhook={webhook} eventId={eventId} />}
    />
  );
}
