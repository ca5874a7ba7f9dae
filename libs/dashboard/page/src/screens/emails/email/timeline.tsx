import { useQuery } from '@tanstack/react-query';
import { api, queryOf } from '../../../api/client';
import type { Email, EmailEvent, EmailRecipient, List } from '../../../api/types';
import { useVisible } from '../../../hooks/use-visible';
import { Problem } from '../../../parts/problem';
import { StateMark } from '../../../parts/state-mark';
import { Time } from '../../../parts/time';
import { groupEvents, replyOf } from './grouped-events';
import { intervalOf } from './progress';

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
              {address} {recipient && <StateMark state={recipient.last_event} />}
            </h3>
          )}
          <ol>
            {happened.map((event) => (
              <Happened key={event.id} event={event} />
            ))}
            {recipient?.next_attempt_at && (
              <li>
                <span className="soft">
                  Next attempt <Time value={recipient.next_attempt_at} />
                </span>
              </li>
            )}
          </ol>
        </div>
      ))}
      {events.data?.length === 0 && <p className="soft">The events are no longer kept.</p>}
    </section>
  );
}

function Happened({ event }: { event: EmailEvent }) {
  const reply = replyOf(event);
  return (
    <li>
      <span className="bar">
        <StateMark state={event.type} />
        <span className="soft">
          <Time value={event.created_at} />
          {event.attempt !== null && `, attempt ${event.attempt}`}
        </span>
      </span>
      {reply !== undefined && <pre className="reply">{reply}</pre>}
    </li>
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
