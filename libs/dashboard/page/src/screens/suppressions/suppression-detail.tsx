import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { suppressionQuery } from '../../api/suppressions';
import type { Suppression } from '../../api/types';
import { useTitle } from '../../hooks/use-title';
import { Copyable, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { personLink } from '../../parts/person-link';
import { plainName } from '../../parts/plain-name';
import { ExactTime } from '../../parts/time';
import { isErased, nameOf } from './name-of';
import { OriginBadge } from './origins';
import { RemoveSuppression } from './remove-suppression';
import { TEXTS } from './texts';
import { whyOf } from './why';

const names = TEXTS.facts;

/** One suppressed address: why it gets no mail, since when and until when. */
export function SuppressionDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(suppressionQuery(id));
  useTitle(data ? nameOf(data) : TEXTS.title);
  if (data === null) {
    return (
      <Empty title={TEXTS.missing.title}>
        <p>{TEXTS.missing.text}</p>
      </Empty>
    );
  }
  return (
    <DetailScreen query={{ data, error, refetch }} failure={TEXTS.notRead}>
      {(suppression) => ({
        lead: (
          <div>
            <OriginBadge origin={suppression.origin} />
          </div>
        ),
        title: <bdi>{nameOf(suppression)}</bdi>,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={() => setAsking(true)}>
              {TEXTS.remove}
            </button>
          </OnlyFor>
        ),
        facts: factsOf(suppression),
        content: (
          <>
            <p className="soft">{TEXTS.effect}</p>
            {isAsking && <RemoveSuppression suppression={suppression} onClose={() => setAsking(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}

function factsOf(suppression: Suppression) {
  const { id, email, reason, source_id: source, created_at: createdAt, expires_at: expiresAt } = suppression;
  return {
    [names.why]: whyOf(suppression),
    [names.reply]: reason !== null && <bdi className="mono">{plainName(reason)}</bdi>,
    [names.since]: <ExactTime value={createdAt} />,
    [names.until]: expiresAt === null ? names.permanent : <ExactTime value={expiresAt} />,
    [names.source]: source !== null && <Link href={`/emails/${source}`}>{names.viewSource}</Link>,
    [names.person]: !isErased(suppression) && <Link href={personLink(email)}>{names.viewPerson}</Link>,
    [names.id]: <Copyable value={id} shown={shortId(id)} what={names.theId} />,
  };
}
