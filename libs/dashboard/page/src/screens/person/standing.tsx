import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card } from '../../parts/card';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { type LastOutcome, lastOutcomeQuery } from './person-queries';
import { TEXTS } from './texts';

const texts = TEXTS.standing;

/** Shows if mail reaches the address: its last bounce and complaint, with the words of its server. */
export function Standing({ address }: { address: string }) {
  const bounce = useQuery(lastOutcomeQuery(address, 'bounced'));
  const complaint = useQuery(lastOutcomeQuery(address, 'complained'));
  const failed = [bounce, complaint].find(({ error }) => error);
  return (
    <Card title={texts.title}>
      {failed && <Problem what={texts.notRead} error={failed.error} onRetry={() => void failed.refetch()} />}
      <dl>
        <dt>{texts.bounced}</dt>
        <dd>{outcomeOf(bounce.data)}</dd>
        <dt>{texts.complained}</dt>
        <dd>{outcomeOf(complaint.data)}</dd>
      </dl>
    </Card>
  );
}

/** Nothing until it is known. */
function outcomeOf(outcome: LastOutcome | null | undefined) {
  if (outcome === undefined) return '–';
  if (outcome === null) return texts.none;
  const { email, recipient } = outcome;
  return (
    <>
      <Link href={`/emails/${email.id}`}>
        <Time value={recipient?.last_attempt_at ?? email.created_at} />
      </Link>
      {recipient?.reason != null && <bdi className="reason mono">{plainName(recipient.reason)}</bdi>}
    </>
  );
}
