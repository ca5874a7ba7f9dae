import type { Contact } from '../../api/types';
import { Time } from '../../parts/time';

/** A contact in the list. */
export function ContactRow({ contact }: { contact: Contact }) {
  const { email, first_name, last_name, unsubscribed, created_at } = contact;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return (
    <>
      <span className="contact-who">
        <span className="one-line">{email}</span>
        <span className="soft one-line">{[name, unsubscribed && '⊘ unsubscribed'].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="soft contact-made">
        <Time value={created_at} />
      </span>
    </>
  );
}
