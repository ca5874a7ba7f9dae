import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import { suppressionQuery } from '../../api/suppressions';
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
import { DetailSkeleton } from '../../parts/skeleton';
import { Time } from '../../parts/time';
import { ContactOf } from './contact-of';
import { contactQuery, lastOutcomeQuery } from './person-queries';
import { Standing } from './standing';
import { TEXTS } from './texts';
import { useHasSuppressions } from './use-has-suppressions';
import './person.css';

/** Everything about one address: its suppression, its last bounce and complaint, its contact, and the emails to it. */
export default function PersonScreen() {
  const address = addressInPath(usePathname());
  const { data: session } = useQuery(sessionQuery);
  const hasContacts = session?.features.contacts === true;
  const isComplete = useIsComplete(address, hasContacts);
  const emails = usePages<Email>('emails', { query: { to: address, fields: 'summary' }, limit: 20 });
  useTitle(plainName(address));
  return (
    <>
      <ScreenHead title={plainName(address)}>
        <CopyButton value={address} what={TEXTS.copied} />
      </ScreenHead>
      {isComplete ? (
        <div className="person" key={address}>
          <div className="person-facts">
            <Standing address={address} />
            {hasContacts && <ContactOf address={address} />}
          </div>
          <EmailsTo address={address} emails={emails} />
        </div>
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}

/**
 * True once the facts above the emails were read, or could not be: they must not push the emails down. The facts ask
 * again only by a button.
 */
function useIsComplete(address: string, hasContacts: boolean): boolean {
  const bounce = useQuery(lastOutcomeQuery(address, 'bounced'));
  const complaint = useQuery(lastOutcomeQuery(address, 'complained'));
  const contact = useQuery({ ...contactQuery(address), enabled: hasContacts });
  const hasSuppressions = useHasSuppressions();
  const suppression = useQuery({ ...suppressionQuery(address), enabled: hasSuppressions });
  const asked = [bounce, complaint, ...(hasContacts ? [contact] : []), ...(hasSuppressions ? [suppression] : [])];
  return asked.every(({ isFetched }) => isFetched);
}

interface EmailsToProps {
  address: string;
  emails: ReturnType<typeof usePages<Email>>;
}

function EmailsTo({ address, emails }: EmailsToProps) {
  const { items, error, isSuccess, hasNextPage, needMore, refetch } = emails;
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
