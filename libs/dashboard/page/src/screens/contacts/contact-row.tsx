import { BellOff } from 'lucide-react';
import type { Contact } from '../../api/types';
import { Badge } from '../../parts/badge';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { TEXTS } from './texts';

/** A contact in the list. */
export function ContactRow({ contact }: { contact: Contact }) {
  const { email, first_name: firstName, last_name: lastName, unsubscribed, created_at: createdAt } = contact;
  return (
    <Row
      title={<bdi>{plainName(email)}</bdi>}
      second={<bdi className="one-line">{plainName([firstName, lastName].filter(Boolean).join(' '))}</bdi>}
      time={<Time value={createdAt} />}
      mark={unsubscribed && <Badge icon={BellOff} word={TEXTS.isUnsubscribed} tone="warning" />}
    />
  );
}
