import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { ApiProblem, queryOf } from '../../api/client';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Contact } from '../../api/types';
import { useUrlState } from '../../hooks/use-url-state';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { VirtualList } from '../../parts/virtual-list';
import { ContactDetail } from './contact-detail';
import { ContactForm } from './contact-form';
import { ContactRow } from './contact-row';
import { foundContact } from './found-contact';
import './contacts.css';

/** Contacts, and their choices. */
export default function ContactsScreen() {
  const { id } = useParams();
  const [state] = useUrlState();
  const wanted = state.get('find') ?? '';
  return (
    <Panes
      list={
        <>
          <ContactsHead wanted={wanted} />
          {wanted === '' ? <AllContacts chosenId={id} /> : <FoundContact wanted={wanted} chosenId={id} />}
        </>
      }
      detail={detailOf(id)}
      back={{ href: `/contacts${queryOf({ find: wanted })}`, title: 'Contacts' }}
    />
  );
}

function detailOf(id: string | undefined) {
  if (id === undefined) return null;
  return id === 'new' ? <ContactForm key="new" /> : <ContactDetail key={id} id={id} />;
}

/** Finds a contact by its whole address, because the API supports nothing else. */
function ContactsHead({ wanted }: { wanted: string }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const find = String(new FormData(event.currentTarget).get('find')).trim();
    const query = queryOf({ find });
    if (find === '') return navigate('/contacts');
    const found = await client.fetchQuery(foundContact(find)).catch(() => undefined);
    navigate(found ? `/contacts/${found.id}${query}` : `/contacts${query}`);
  };
  return (
    <ScreenHead title="Contacts">
      <search className="contacts-find">
        <form key={wanted} className="bar" onSubmit={(event) => void onSubmit(event)}>
          <input
            name="find"
            aria-label="Find by the whole address, or by id"
            placeholder="jane@example.com"
            autoComplete="off"
            spellCheck={false}
            defaultValue={wanted}
            onFocus={({ currentTarget }) => currentTarget.select()}
            data-search
          />
          <button type="submit">Find</button>
        </form>
      </search>
      {wanted !== '' && (
        <Link href="/contacts" className="button">
          Show all
        </Link>
      )}
      <OnlyFor needs="admin">
        <Link href="/contacts/new" className="button end">
          New contact
        </Link>
      </OnlyFor>
    </ScreenHead>
  );
}

function AllContacts({ chosenId }: { chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const { items, hasNextPage, needMore, isSuccess, error, refetch } = usePages<Contact>('contacts', { limit: 100 });
  return (
    <>
      {error && <NotListed error={error} onRetry={() => void refetch()} />}
      {isSuccess && items.length === 0 ? (
        <NoContacts />
      ) : (
        <VirtualList
          label="All contacts"
          items={items}
          idOf={({ id }) => id}
          rowHeight={52}
          row={(contact) => <ContactRow contact={contact} />}
          hrefOf={({ id }) => `/contacts/${id}`}
          chosenId={chosenId}
          onClose={() => navigate('/contacts')}
          hasMore={hasNextPage}
          onNeedMore={needMore}
        />
      )}
    </>
  );
}

function FoundContact({ wanted, chosenId }: { wanted: string; chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const { data: contact, error, refetch } = useQuery(foundContact(wanted));
  const query = queryOf({ find: wanted });
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <Empty title={`No contact has the address ${wanted}`}>
        <p>
          The search finds whole addresses only, in any letter case. Mail can also be sent to addresses without a
          contact.
        </p>
        <OnlyFor needs="admin">
          <div>
            <Link href={`/contacts/new${queryOf({ find: wanted, email: wanted })}`} className="button">
              Create this contact
            </Link>
          </div>
        </OnlyFor>
      </Empty>
    );
  }
  return (
    <>
      {error && <NotListed error={error} onRetry={() => void refetch()} />}
      <VirtualList
        label="Contacts found"
        items={contact ? [contact] : []}
        idOf={({ id }) => id}
        rowHeight={52}
        row={(found) => <ContactRow contact={found} />}
        hrefOf={({ id }) => `/contacts/${id}${query}`}
        chosenId={chosenId}
        onClose={() => navigate(`/contacts${query}`)}
      />
    </>
  );
}

function NotListed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Problem
      what="The contacts could not be listed"
      error={error}
      meaning="Emails are sent as before, and the contacts' choices still apply."
      onRetry={onRetry}
    />
  );
}

function NoContacts() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      title="No contacts yet"
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'contacts', { email: 'jane@example.com', first_name: 'Jane' })}
    >
      <p>
        A contact is a person with known choices: topics, and whether they unsubscribed. Emails can be sent to anybody.
        Create a contact here, or with the API:
      </p>
    </Empty>
  );
}
