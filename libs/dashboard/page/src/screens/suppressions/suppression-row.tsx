import type { Suppression } from '../../api/types';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { nameOf } from './name-of';
import { OriginBadge } from './origins';
import { whyOf } from './why';

/** A suppressed address in the list: the server's words say more than the sentence. */
export function SuppressionRow({ suppression }: { suppression: Suppression }) {
  const { origin, reason, created_at: createdAt } = suppression;
  return (
    <Row
      title={<bdi>{nameOf(suppression)}</bdi>}
      second={<bdi className="one-line">{reason === null ? whyOf(suppression) : plainName(reason)}</bdi>}
      time={<Time value={createdAt} />}
      mark={<OriginBadge origin={origin} />}
    />
  );
}
