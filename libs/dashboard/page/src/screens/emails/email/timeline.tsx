import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { api, queryOf } from '../../../api/client';
import type { Email, EmailEvent, EmailRecipient, List } from '../../../api/types';
import { useVisible } from '../../../hooks/use-visible';
import { type Look, lookOf, StateBadge } from '../../../parts/badge';
import { Problem } from '../../../parts/problem';
import { Step, Steps } from '../../../parts/steps';
import { Time } from '../../../parts/time';
import { instantOf } from '../../../parts/times';
import { groupEvents, replyOf } from './grouped-events';
import { outcomeOf } from './outcomes';
import { intervalOf } from './progress';
import { stepTime, timeBetween } from './step-times';

const NEXT: Look = { icon: CalendarClock, word: 'Next attempt', tone: 'neutral' };

/** Limit of read pages of events: an email has few, but it may have many recipients. */
const MAX_PAGES = 10;

interface TimelineProps {
  id: string;
  email: Email;
  recipients: readonly EmailRecipient[];
}

/** Past events, newest last, and the next step; by recipient when there are several. */
export function Timeline({ id, email, recipients }: TimelineProps) {
  const isVisible = useVisible();
  const events = useQuery({
    queryKey: ['emails', 'events', id, email.last_event],
    queryFn: ({ signal }) => allEvents(id, signal),
    placeholderData: (known) => known,
    refetchInterval: () => isVisible && intervalOf(email.last_event, recipients),
  });
  if (events.error) {
    return <Problem what="The events could not be read" error={events.error} onRetry={() => void events.refetch()} />;
  }
  const groups = groupEvents(events.data ?? [], recipients);
  return (
    <section className="timeline" aria-label="Events">
      {groups.map(({ recipient, address, events: happened }) => (
        <div key={address ?? ''}>
          {address !== null && groups.length > 1 && (
            <h3>
              {address} {recipient && <StateBadge state={recipient.last_event} />}
            </h3>
          )}
          <Steps>
            {happened.map((event, at) => (
              <EventStep key={event.id} event={event} before={happened[at - 1]} />
            ))}
            {recipient?.next_attempt_at && (
              <Step look={NEXT} time={<Time value={recipient.next_attempt_at} />}>
                {null}
              </Step>
            )}
          </Steps>
        </div>
      ))}
      {events.data?.length === 0 && <p className="soft">The events are no longer kept.</p>}
    </section>
  );
}

interface EventStepProps {
  event: EmailEvent;
  before: EmailEvent | undefined;
}

function EventStep({ event, before }: EventStepProps) {
  const reply = replyOf(event);
  const outcome = outcomeOf(event);
  const instant = instantOf(event.created_at);
  return (
    <Step
      look={lookOf(event.type)}
      time={
        <>
          <time dateTime={new Date(instant).toISOString()}>{stepTime(instant)}</time>
          {before && ` · ${timeBetween(instantOf(before.created_at), instant)}`}
          {event.attempt !== null && ` · attempt ${event.attempt}`}
        </>
      }
    >
      {outcome && (
        <p>
          {outcome.meaning} {outcome.advice}
        </p>
      )}
      {reply !== undefined && <pre className="said">{reply}</pre>}
    </Step>
  );
}

async function allEvents(id: string, signal: AbortSignal): Promise<EmailEvent[]> {
  const events: EmailEvent[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = queryOf({ limit: 100, after: events.at(-1)?.id });
    const { data, has_more: hasMore } = await api<List<EmailEvent>>('GET', `emails/${id}/events${query}`, { signal });
    events.push(...data);
    if (!hasMore) break;
  }
  return events;
}
