import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { queryOf } from '../../api/client';
import { Card } from '../../parts/card';
import { OnlyFor } from '../../parts/only-for';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { contactQuery, type KnownContact } from './person-queries';
import { TEXTS } from './texts';

const texts = TEXTS.contact;

/** The contact with the address, and its choices. */
export function ContactOf({ address }: { address: string }) {
  const { data, error, refetch } = useQuery(contactQuery(address));
  return (
    <Card title={texts.title}>
      {error && <Problem what={texts.notRead} error={error} onRetry={() => void refetch()} />}
      {data === null && (
        <>
          <p className="soft">{texts.none}</p>
          <OnlyFor needs="admin">
            <Link href={`/contacts/new${queryOf({ email: address })}`} className="button">
              {texts.create}
            </Link>
          </OnlyFor>
        </>
      )}
      {data && <Known {...data} />}
    </Card>
  );
}

function Known({ contact, topics }: KnownContact) {
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
  return (
    <>
      <dl>
        {name !== '' && (
          <>
            <dt>{texts.name}</dt>
            <dd>
              <bdi>{plainName(name)}</bdi>
            </dd>
          </>
        )}
        <dt>{texts.subscription}</dt>
        <dd>{contact.unsubscribed ? texts.unsubscribed : texts.subscribed}</dd>
        {topics.length > 0 && (
          <>
            <dt>{texts.topics}</dt>
            <dd>
              <ul>
                {topics.map((topic) => (
                  <li key={topic.id}>
                    <Link href={`/topics/${topic.id}`}>{plainName(topic.name)}</Link>{' '}
                    <span className="soft">{texts.topic[topic.subscription]}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{texts.created}</dt>
        <dd>
          <Time value={contact.created_at} />
        </dd>
      </dl>
      <Link href={`/contacts/${contact.id}`} className="button">
        {texts.open}
      </Link>
    </>
  );
}
