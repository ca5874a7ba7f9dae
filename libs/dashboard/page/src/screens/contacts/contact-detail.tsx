import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Contact } from '../../api/types';
import { Copyable, shortId } from '../../parts/copyable';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { ContactForm } from './contact-form';
import { ContactTopics } from './contact-topics';

/** One contact, to be read and changed. */
export function ContactDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const {
    data: contact,
    error,
    refetch,
  } = useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => api<Contact>('GET', `contacts/${encodeURIComponent(id)}`, { signal }),
  });
  if (error && contact === undefined) {
    return <Problem what="The contact could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (contact === undefined) return <p className="only-read">Loading</p>;
  return (
    <div className="stack">
      <header className="bar">
        <h1>{contact.email}</h1>
        <button type="button" className="danger end" onClick={() => setAsking(true)}>
          Delete
        </button>
      </header>
      <dl>
        <dt>Id</dt>
        <dd>
          <Copyable value={contact.id} shown={shortId(contact.id)} what="the id" />
        </dd>
        <dt>Made</dt>
        <dd>
          <Time value={contact.created_at} />
        </dd>
      </dl>
      <ContactForm contact={contact} />
      <ContactTopics contact={contact} />
      {isAsking && <DeleteContact contact={contact} onClose={() => setAsking(false)} />}
    </div>
  );
}

function DeleteContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => api('DELETE', `contacts/${contact.id}`),
    onSuccess: () => {
      changePages<Contact>(client, 'contacts', { goneId: contact.id });
      void client.invalidateQueries({ queryKey: ['found contact'] });
      navigate('/contacts');
    },
  });
  return (
    <Confirm
      title={`Delete the contact ${contact.email}?`}
      action="Delete the contact"
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <strong>What they chose is forgotten with them, also that they unsubscribed.</strong> Emails of topics that go
          to everybody will reach this address again, those that wait among them. To keep somebody from getting emails,
          leave the contact and tick Unsubscribed.
        </p>
        <p>
          Emails that were sent to them stay as they are. To take a person out of everything, use an erasure of the API.
        </p>
        {remove.error && (
          <Problem what="The contact was not deleted" error={remove.error} meaning="Their choices stand as before." />
        )}
      </div>
    </Confirm>
  );
}
