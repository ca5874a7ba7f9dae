import { useQuery } from '@tanstack/react-query';
import { domainQuery, type ListedDomain } from '../../api/domains';
import { StateBadge } from '../../parts/badge';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { recordsLeft } from './standing';
import { TEXTS } from './texts';

/** A domain in the list. The records of a row that is shown are read, unless it needs none. */
export function DomainRow({
  domain: { id, name, status, created_at: createdAt, capabilities },
}: {
  domain: ListedDomain;
}) {
  const { data } = useQuery({ ...domainQuery(id), enabled: status !== 'verified', refetchInterval: false });
  const left = data && recordsLeft(data);
  return (
    <Row
      title={<bdi>{plainName(name)}</bdi>}
      second={secondOf(capabilities.sending === 'disabled', status === 'verified' ? 0 : left)}
      time={<Time value={createdAt} />}
      mark={<StateBadge state={status} />}
    />
  );
}

/** @param left undefined while it is read */
function secondOf(isOff: boolean, left: number | undefined): string {
  if (isOff) return TEXTS.off;
  if (left === undefined) return '';
  return left === 0 ? TEXTS.noneLeft : TEXTS.left(left);
}
