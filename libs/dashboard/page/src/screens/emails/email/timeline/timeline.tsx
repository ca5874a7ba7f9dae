import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { Link } from 'wouter';
import { sessionQuery } from '../../../../api/session';
import type { EmailEvent, EmailRecipient, EmailState } from '../../../../api/types';
import { type Look, lookOf, StateBadge } from '../../../../parts/badge';
import { personLink } from '../../../../parts/person-link';
import { plainName } from '../../../../parts/plain-name';
import { Problem } from '../../../../parts/problem';
import { Step, Steps } from '../../../../parts/steps';
import { suppressionLink } from '../../../../parts/suppression-link';
import { ExactTime } from '../../../../parts/time';
import { instantOf } from '../../../../parts/times';
import { TEXTS } from '../texts';
import { MAX_EVENTS } from '../use-email';
import { type EventGroup, groupEvents, replyOf } from './grouped-events';
import { outcomeOf } from './outcomes';
import { reportedBy } from './reported-by';
import { stepTime, timeBetween } from './step-times';
import { suppressedBy } from './suppressed-by';

const texts = TEXTS.timeline;
const NEXT: Look = { icon: CalendarClock, word: texts.next, tone: 'neutral' };

/** Number of recipients whose steps are all shown. Of more, those that need no attention are folded. */
const FEW = 5;
const CALM: ReadonlySet<EmailState> = new Set([
  'sent',
  'delivered',
  'opened',
  'clicked',
  'canceled',
  'queued',
  'scheduled',
]);

interface TimelineProps {
  events: UseQueryResult<EmailEvent[]>;
  recipients: readonly EmailRecipient[];
  /** Name of the email's topic, if it is known. */
  topic: string | undefined;
}

/** Past events, newest last, and the next step; by recipient when there are several. */
export function Timeline({ events: { data, error, refetch }, recipients, topic }: TimelineProps) {
  if (error) return <Problem what={texts.notRead} error={error} onRetry={() => void refetch()} />;
  const groups = groupEvents(data ?? [], recipients);
  const whole = groups.find(({ address }) => address === null);
  return (
    <section className="timeline" aria-label={texts.label}>
      {groups.map((group) => (
        <Group
          key={group.address ?? ''}
          group={group}
          before={group.address === null ? undefined : whole?.events.at(-1)}
          count={recipients.length}
          topic={topic}
        />
      ))}
      {data?.length === 0 && <p className="soft">{texts.gone}</p>}
      {data && data.length >= MAX_EVENTS && <p className="soft">{texts.cut(MAX_EVENTS)}</p>}
    </section>
  );
}

interface GroupProps {
  group: EventGroup;
  /** The event before the first of the group. */
  before: EmailEvent | undefined;
  /** Number of the email's recipients. */
  count: number;
  topic: string | undefined;
}

function Group({ group: { recipient, events }, before, count, topic }: GroupProps) {
  const steps = (
    <Steps>
      {events.map((event, at) => (
        <EventStep key={event.id} event={event} before={at === 0 ? before : events[at - 1]} topic={topic} />
      ))}
      {recipient?.next_attempt_at && <Step look={NEXT} time={<ExactTime value={recipient.next_attempt_at} />} />}
    </Steps>
  );
  if (count <= 1) return steps;
  if (!recipient) {
    return (
      <div>
        <h3>{texts.whole}</h3>
        {steps}
      </div>
    );
  }
  const name = <bdi>{plainName(recipient.address)}</bdi>;
  const badge = <StateBadge state={recipient.last_event} />;
  if (count > FEW && CALM.has(recipient.last_event)) {
    return (
      <details>
        <summary>
          {name} {badge}
        </summary>
        {steps}
      </details>
    );
  }
  return (
    <div>
      <h3>
        <Link href={personLink(recipient.address)}>{name}</Link> {badge}
      </h3>
      {steps}
    </div>
  );
}

interface EventStepProps {
  event: EmailEvent;
  before: EmailEvent | undefined;
  topic: string | undefined;
}

function EventStep({ event, before, topic }: EventStepProps) {
  const reply = replyOf(event);
  const outcome = outcomeOf(event, topic);
  const source = reportedBy(event);
  const hasSuppressions = useQuery(sessionQuery).data?.features.suppressions === true;
  const suppressed = hasSuppressions ? suppressedBy(event) : undefined;
  const instant = instantOf(event.created_at);
  return (
    <Step
      look={lookOf(event.type)}
      time={
        <>
          <time dateTime={new Date(instant).toISOString()}>{stepTime(instant)}</time>
          {before && ` · ${timeBetween(instantOf(before.created_at), instant)}`}
          {event.attempt !== null && ` · ${texts.attempt(event.attempt)}`}
          {event.transport !== null && (
            <>
              {' · '}
              <bdi className="mono">{event.transport}</bdi>
            </>
          )}
        </>
      }
    >
      {outcome && (
        <p>
          {outcome.meaning} {outcome.advice}
        </p>
      )}
      {source !== undefined && <p className="soft">{source}</p>}
      {reply !== undefined && <pre className="said">{plainName(reply)}</pre>}
      {suppressed !== undefined && (
        <p>
          <Link href={suppressionLink(suppressed)}>{texts.suppression}</Link>
        </p>
      )}
    </Step>
  );
}
