import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client';
import { segment } from '../../api/segment';
import type { Contact } from '../../api/types';
import { Card } from '../../parts/card';
import { Copyable, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { FormDialog } from '../../parts/form-dialog';
import { Changeable, OnlyFor } from '../../parts/only-for';
import { personLink } from '../../parts/person-link';
import { plainName } from '../../parts/plain-name';
import { Time } from '../../parts/time';
import { useRemoval } from '../../parts/use-removal';
import { ContactForm } from './contact-form';
import { ContactTopics } from './contact-topics';
import { TEXTS } from './texts';

const texts = TEXTS.deleting;

/** One contact, to read and change. */
export function ContactDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => api<Contact>('GET', `contacts/${segment(id)}`, { signal }),
  });
  return (
    <DetailScreen query={query} failure={TEXTS.notRead} missing={TEXTS.missing}>
      {(contact) => ({
        title: <bdi>{plainName(contact.email)}</bdi>,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={() => setAsking(true)}>
              {TEXTS.delete}
            </button>
          </OnlyFor>
        ),
        facts: {
          [TEXTS.id]: <Copyable value={contact.id} shown={shortId(contact.id)} what={TEXTS.theId} />,
          [TEXTS.created]: <Time value={contact.created_at} />,
          [TEXTS.emails]: <Link href={personLink(contact.email)}>{TEXTS.viewEmails}</Link>,
        },
        content: (
          <>
            <Changeable>
              <Card title={TEXTS.details}>
                <ContactForm contact={contact} />
              </Card>
              <ContactTopics contact={contact} />
            </Changeable>
            {isAsking && <DeleteContact contact={contact} onClose={() => setAsking(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}

function DeleteContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const name = plainName(contact.email);
  const remove = useRemoval({
    list: 'contacts',
    id: contact.id,
    done: TEXTS.wasDeleted(name),
    forget: (client) => client.invalidateQueries({ queryKey: ['found contact'] }),
  });
  return (
    <FormDialog
      title={texts.titleOf(name)}
      action={texts.action}
      isDangerous
      task={remove}
      failure={texts.failure}
      meaning={texts.meaning}
      onClose={onClose}
    >
      <p>
        <strong>{texts.choices}</strong> {texts.effect}
      </p>
      <p>{texts.emails}</p>
    </FormDialog>
  );
}
