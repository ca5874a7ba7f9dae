import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { suppressionQuery } from '../../api/suppressions';
import type { Suppression } from '../../api/types';
import { Card } from '../../parts/card';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { suppressionLink } from '../../parts/suppression-link';
import { Time } from '../../parts/time';
import { type LastOutcome, lastOutcomeQuery } from './person-queries';
import { TEXTS } from './texts';
import { useHasSuppressions } from './use-has-suppressions';

const texts = TEXTS.standing;

/** Shows if mail reaches the address: its suppression, its last bounce and complaint, with the words of its server. */
export function Standing({ address }: { address: string }) {
  const bounce = useQuery(lastOutcomeQuery(address, 'bounced'));
  const complaint = useQuery(lastOutcomeQuery(address, 'complained'));
  const hasSuppressions = useHasSuppressions();
  const suppression = useQuery({ ...suppressionQuery(address), enabled: hasSuppressions });
  const failed = [bounce, complaint].find(({ error }) => error);
  return (
    <Card title={texts.title}>
      {failed && <Problem what={texts.notRead} error={failed.error} onRetry={() => void failed.refetch()} />}
      {suppression.error && (
        <Problem what={texts.suppressionNotRead} error={suppression.error} onRetry={() => void suppression.refetch()} />
      )}
      <dl>
        {hasSuppressions && (
          <>
            <dt>{texts.suppressed}</dt>
            <dd>{suppressionOf(address, suppression.data)}</dd>
          </>
        )}
        <dt>{texts.bounced}</dt>
        <dd>{outcomeOf(bounce.data)}</dd>
        <dt>{texts.complained}</dt>
        <dd>{outcomeOf(complaint.data)}</dd>
      </dl>
    </Card>
  );
}

/** Nothing until it is known. */
function suppressionOf(address: string, suppression: Suppression | null | undefined) {
  if (suppression === undefined) return '–';
  if (suppression === null) return texts.notSuppressed;
  return (
    <>
      <Link href={suppressionLink(address)}>{texts.why[suppression.origin]}</Link>{' '}
      <span className="soft">
        <Time value={suppression.created_at} />
      </span>
    </>
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
