import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Contact } from '../../api/types';
import { Copyable, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { FormDialog } from '../../parts/form-dialog';
import { Changeable, OnlyFor } from '../../parts/only-for';
import { Time } from '../../parts/time';
import { ContactForm } from './contact-form';
import { ContactTopics } from './contact-topics';

/** One contact, to read and change. */
export function ContactDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => api<Contact>('GET', `contacts/${encodeURIComponent(id)}`, { signal }),
  });
  return (
    <DetailScreen query={query} failure="The contact could not be read">
      {(contact) => ({
        title: contact.email,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={() => setAsking(true)}>
              Delete
            </button>
          </OnlyFor>
        ),
        facts: {
          Id: <Copyable value={contact.id} shown={shortId(contact.id)} what="the id" />,
          Made: <Time value={contact.created_at} />,
        },
        content: (
          <>
            <Changeable>
              <ContactForm contact={contact} />
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
    <FormDialog
      title={`Delete the contact ${contact.email}?`}
      action="Delete the contact"
      isDangerous
      task={remove}
      failure="The contact was not deleted"
      meaning="Their choices are unchanged."
      onClose={onClose}
    >
      <p>
        <strong>Their choices are deleted with them, including that they unsubscribed.</strong> Emails of topics that go
        to everybody will reach this address again, including pending ones. To stop emails to a person, keep the contact
        and tick Unsubscribed.
      </p>
      <p>Sent emails stay unchanged. To remove a person from all data, use an erasure of the API.</p>
    </FormDialog>
  );
}
