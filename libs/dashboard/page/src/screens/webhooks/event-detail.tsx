import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Webhook, WebhookEvent } from '../../api/types';
import { Copyable } from '../../parts/copyable';
import { Problem } from '../../parts/problem';
import { StateMark } from '../../parts/state-mark';
import { Time } from '../../parts/time';
import { Attempts } from './attempts';
import { attemptsQuery, eventQuery } from './webhook-queries';

interface EventDetailProps {
  webhook: Webhook;
  eventId: string;
}

/** One event of an endpoint: what was sent, what it answered, and once more if it is asked for. */
export function EventDetail({ webhook, eventId }: EventDetailProps) {
  const { data: event, error, refetch } = useQuery(eventQuery(webhook.id, eventId));
  if (event) return <Shown webhook={webhook} event={event} />;
  return error ? <Problem what="The event could not be read" error={error} onRetry={() => void refetch()} /> : null;
}

function Shown({ webhook, event }: { webhook: Webhook; event: WebhookEvent }) {
  /** The newest attempt when one more was asked for; null when there was none. */
  const [before, setBefore] = useState<string | null>();
  const { data: attempts, error } = useQuery(attemptsQuery(webhook.id, event, before));
  const newest = attempts?.[0]?.id ?? null;
  const isAwaited = newest === before;
  const replaying = useMutation({
    mutationFn: () => api('POST', `webhooks/${webhook.id}/events/${event.id}/replay`),
    onMutate: () => setBefore(newest),
    onError: () => setBefore(undefined),
  });
  return (
    <article className="stack">
      <header className="bar">
        <h1 className="mono">{event.type}</h1>
        <button
          type="button"
          className="end"
          disabled={replaying.isPending || isAwaited}
          onClick={() => replaying.mutate()}
        >
          Replay
        </button>
      </header>
      <dl>
        <dt>State</dt>
        <dd>
          <StateMark state={event.status} />
        </dd>
        <dt>Happened</dt>
        <dd>
          <Time value={event.created_at} />
        </dd>
        {event.next_attempt_at && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time value={event.next_attempt_at} />
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <Copyable value={event.id} what="the id" />
        </dd>
      </dl>
      <p role="status" className="replayed">
        {statusOf(isAwaited, before)}
      </p>
      {replaying.error && (
        <Problem
          what="The event could not be sent again"
          error={replaying.error}
          meaning="What was sent before, and what is still to be tried, is as it was."
        />
      )}
      <Attempts attempts={attempts} error={error} status={event.status} />
      <section className="stack">
        <h2>Payload</h2>
        <pre className="webhook-payload">{JSON.stringify(event.payload, null, 2)}</pre>
      </section>
    </article>
  );
}

function statusOf(isAwaited: boolean, before: string | null | undefined): string {
  if (isAwaited) return 'It is sent once more. Its answer stands below when it came, within 15 seconds.';
  return before === undefined ? '' : 'It was sent once more.';
}
