import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { Link } from 'wouter';
import { addressOf } from '../../../parts/address-of';
import { StateBadge } from '../../../parts/badge';
import { emailsLink } from '../../../parts/emails-link';
import { personLink } from '../../../parts/person-link';
import { plainName } from '../../../parts/plain-name';
import { Row } from '../../../parts/row';
import { Time } from '../../../parts/time';
import { TEXTS } from '../texts';
import { type EmailRow, recipientsOf } from './email-row';
import { topicNamesQuery } from './topic-names';

/** Tags that a row has room for. */
const TAGS = 2;

/** Two lines: subject and time, then recipient, sender and state. Its links are for the pointer: Tab goes from row to row. */
export function EmailInList({ email }: { email: EmailRow }) {
  const { last_event, from, subject, created_at, scheduled_at, attachments, tags, topic_id } = email;
  const [first = '', ...others] = recipientsOf(email);
  return (
    <Row
      title={<bdi>{plainName(subject).trim() || <span className="soft">{TEXTS.noSubject}</span>}</bdi>}
      second={
        <>
          <span className="one-line email-to">
            <span className="soft">{TEXTS.to}</span>{' '}
            <Link href={personLink(addressOf(first))} tabIndex={-1}>
              <bdi>{plainName(first)}</bdi>
            </Link>
          </span>
          {others.length > 0 && <span>{TEXTS.more(others.length)}</span>}
          <span className="one-line email-from">
            {TEXTS.from} <bdi>{plainName(from)}</bdi>
          </span>
          <span className="email-labels">
            {tags.slice(0, TAGS).map(({ name, value }) => (
              <Label key={name} text={value === '' ? name : `${name}:${value}`} kind="tag" />
            ))}
            {topic_id !== null && <TopicLabel id={topic_id} />}
          </span>
        </>
      }
      time={
        <>
          {attachments > 0 && (
            <span className="clip" title={TEXTS.attachments(attachments)}>
              <Paperclip className="icon" size={13} aria-hidden="true" />
              <span className="only-read">{TEXTS.attachments(attachments)}</span>
            </span>
          )}
          <Time value={last_event === 'scheduled' ? scheduled_at : created_at} />
        </>
      }
      mark={<StateBadge state={last_event} />}
    />
  );
}

function TopicLabel({ id }: { id: string }) {
  const { data } = useQuery(topicNamesQuery);
  return <Label text={data?.get(id) ?? TEXTS.topic} kind="topic" filter={id} />;
}

interface LabelProps {
  text: string;
  kind: 'tag' | 'topic';
  /** The value of the filter. Default: the text. */
  filter?: string;
}

function Label({ text, kind, filter = text }: LabelProps) {
  const title = kind === 'tag' ? TEXTS.ofTag(text) : TEXTS.ofTopic(text);
  return (
    <Link href={emailsLink({ [kind]: filter })} className="label one-line" tabIndex={-1} title={title}>
      <bdi>{plainName(text)}</bdi>
    </Link>
  );
}
