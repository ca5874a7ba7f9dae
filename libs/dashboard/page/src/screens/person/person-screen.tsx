import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Email } from '../../api/types';
import { useTitle } from '../../hooks/use-title';
import { StateBadge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copyable';
import { emailsLink } from '../../parts/emails-link';
import { Empty } from '../../parts/empty';
import { addressInPath } from '../../parts/person-link';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { Row } from '../../parts/row';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { ContactOf } from './contact-of';
import { Standing } from './standing';
import { TEXTS } from './texts';
import './person.css';

/** Everything about one address: its last bounce and complaint, its contact, and the emails to it. */
export default function PersonScreen() {
  const address = addressInPath(usePathname());
  const { data: session } = useQuery(sessionQuery);
  useTitle(plainName(address));
  return (
    <>
      <ScreenHead title={plainName(address)}>
        <CopyButton value={address} what={TEXTS.copied} />
      </ScreenHead>
      <div className="person" key={address}>
        <div className="person-facts">
          <Standing address={address} />
          {session?.features.contacts && <ContactOf address={address} />}
        </div>
        <EmailsTo address={address} />
      </div>
    </>
  );
}

function EmailsTo({ address }: { address: string }) {
  const query = { to: address, fields: 'summary' };
  const { items, error, isSuccess, hasNextPage, needMore, refetch } = usePages<Email>('emails', { query, limit: 20 });
  return (
    <Card
      title={TEXTS.emails.title}
      aside={
        <Link href={emailsLink({ to: address })} className="button">
          {TEXTS.emails.search}
        </Link>
      }
    >
      {error && <Problem what={TEXTS.notRead} error={error} onRetry={() => void refetch()} />}
      {isSuccess && items.length === 0 && (
        <Empty title={TEXTS.emails.none}>
          <p>{TEXTS.emails.noneText}</p>
        </Empty>
      )}
      <ul aria-label={TEXTS.emails.listOf(plainName(address))}>
        {items.map((email) => (
          <li key={email.id}>
            <Link href={`/emails/${email.id}`} className="person-email">
              <Row
                title={<bdi>{plainName(email.subject)}</bdi>}
                second={<bdi className="one-line">{plainName(email.from)}</bdi>}
                time={<Time value={email.created_at} />}
                mark={<StateBadge state={email.last_event} />}
              />
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={needMore}>
          {TEXTS.emails.more(items.length)}
        </button>
      )}
    </Card>
  );
}
