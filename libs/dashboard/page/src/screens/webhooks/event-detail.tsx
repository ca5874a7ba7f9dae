import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { StateBadge } from '../../parts/badge';
import { Copyable } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { Attempts } from './attempts';
import { TEXTS } from './texts';
import { attemptsQuery, eventQuery } from './webhook-queries';

interface EventDetailProps {
  webhook: Webhook;
  eventId: string;
}

/** One event of an endpoint: its payload and the answers, with a button that sends it again. */
export function EventDetail({ webhook, eventId }: EventDetailProps) {
  const query = useQuery(eventQuery(webhook.id, eventId));
  /** The newest attempt at the time of a replay; null without any. */
  const [before, setBefore] = useState<string | null>();
  const { data: attempts, error } = useQuery(attemptsQuery(webhook.id, query.data, before));
  const newest = attempts?.[0]?.id ?? null;
  const isAwaited = newest === before;
  const replaying = useMutation({
    mutationFn: () => api('POST', `webhooks/${webhook.id}/events/${eventId}/replay`),
    onMutate: () => setBefore(newest),
    onError: () => setBefore(undefined),
  });
  // The payload is shown below the attempts, which must not push it down.
  const isComplete = attempts !== undefined || error !== null;
  return (
    <DetailScreen query={isComplete ? query : { ...query, data: undefined }} failure={TEXTS.eventFailed}>
      {(event) => ({
        title: <span className="mono">{event.type}</span>,
        aside: (
          <button
            type="button"
            className="end"
            disabled={replaying.isPending || isAwaited}
            onClick={() => replaying.mutate()}
          >
            {TEXTS.replay}
          </button>
        ),
        facts: {
          [TEXTS.facts.state]: <StateBadge state={event.status} />,
          [TEXTS.facts.recipient]: event.recipient !== null && <span className="stranger">{event.recipient}</span>,
          [TEXTS.facts.email]: event.email_id !== null && (
            <Link href={`/emails/${event.email_id}`}>{TEXTS.viewEmail}</Link>
          ),
          [TEXTS.facts.happened]: <Time value={event.created_at} />,
          [TEXTS.facts.next]: event.next_attempt_at != null && <Time value={event.next_attempt_at} />,
          [TEXTS.facts.id]: <Copyable value={event.id} what={TEXTS.theId} />,
        },
        content: (
          <>
            <p role="status" className="replayed">
              {statusOf(isAwaited, before)}
            </p>
            {replaying.error && (
              <Problem what={TEXTS.replayEventFailed} error={replaying.error} meaning={TEXTS.replayEventMeaning} />
            )}
            <Attempts attempts={attempts} error={error} status={event.status} />
            <section className="stack">
              <h2>{TEXTS.payload}</h2>
              <pre className="webhook-payload">{JSON.stringify(event.payload, null, 2)}</pre>
            </section>
          </>
        ),
      })}
    </DetailScreen>
  );
}

function statusOf(isAwaited: boolean, before: string | null | undefined): string {
  if (isAwaited) return TEXTS.replaying;
  return before === undefined ? '' : TEXTS.wasReplayed;
}
