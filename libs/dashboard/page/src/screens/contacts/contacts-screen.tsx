import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX, Users } from 'lucide-react';
import { Link, useLocation, useParams } from 'wouter';
import { ApiProblem, queryOf } from '../../api/client';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Contact } from '../../api/types';
import { useUrlState } from '../../hooks/use-url-state';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { FindAddress } from '../../parts/find-address';
import { AdminsOnly, OnlyFor } from '../../parts/only-for';
import { PagedList } from '../../parts/paged-list';
import { Panes } from '../../parts/panes';
import { plainName } from '../../parts/plain-name';
import { ScreenHead } from '../../parts/screen-head';
import { ContactDetail } from './contact-detail';
import { ContactForm } from './contact-form';
import { ContactRow } from './contact-row';
import { foundContact } from './found-contact';
import { TEXTS } from './texts';
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
      back={{ href: `/contacts${queryOf({ find: wanted })}`, title: TEXTS.title }}
    />
  );
}

function detailOf(id: string | undefined) {
  if (id === undefined) return null;
  if (id !== 'new') return <ContactDetail key={id} id={id} />;
  return (
    <OnlyFor needs="admin" else={<AdminsOnly />}>
      <ContactForm key="new" />
    </OnlyFor>
  );
}

/** The search, and a new contact. */
function ContactsHead({ wanted }: { wanted: string }) {
  const client = useQueryClient();
  return (
    <ScreenHead title={TEXTS.title}>
      <FindAddress
        path="/contacts"
        wanted={wanted}
        texts={TEXTS.find}
        find={(text) => client.fetchQuery(foundContact(text))}
      />
      {wanted !== '' && (
        <Link href="/contacts" className="button">
          {TEXTS.find.showAll}
        </Link>
      )}
      <OnlyFor needs="admin">
        <Link href="/contacts/new" className="button primary end">
          {TEXTS.new}
        </Link>
      </OnlyFor>
    </ScreenHead>
  );
}

function AllContacts({ chosenId }: { chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const pages = usePages<Contact>('contacts', { limit: 100 });
  return (
    <PagedList
      pages={pages}
      failure={TEXTS.notListed}
      meaning={TEXTS.notListedMeaning}
      empty={<NoContacts />}
      label={TEXTS.list}
      idOf={({ id }) => id}
      row={(contact) => <ContactRow contact={contact} />}
      hrefOf={({ id }) => `/contacts/${id}`}
      chosenId={chosenId}
      onClose={() => navigate('/contacts')}
    />
  );
}

function FoundContact({ wanted, chosenId }: { wanted: string; chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const { data: contact, error, isPending, refetch } = useQuery(foundContact(wanted));
  const isNone = error instanceof ApiProblem && error.status === 404;
  const query = queryOf({ find: wanted });
  return (
    <PagedList
      pages={{
        items: contact ? [contact] : [],
        error: isNone ? null : error,
        isPending: isPending && !isNone,
        refetch,
      }}
      failure={TEXTS.notListed}
      meaning={TEXTS.notListedMeaning}
      empty={<NoSuchContact wanted={wanted} />}
      label={TEXTS.foundList}
      idOf={({ id }) => id}
      row={(found) => <ContactRow contact={found} />}
      hrefOf={({ id }) => `/contacts/${id}${query}`}
      chosenId={chosenId}
      onClose={() => navigate(`/contacts${query}`)}
    />
  );
}

function NoSuchContact({ wanted }: { wanted: string }) {
  return (
    <Empty icon={SearchX} title={TEXTS.find.noneOf(plainName(wanted))}>
      <p>{TEXTS.find.none}</p>
      <OnlyFor needs="admin">
        <div>
          <Link href={`/contacts/new${queryOf({ find: wanted, email: wanted })}`} className="button">
            {TEXTS.find.create}
          </Link>
        </div>
      </OnlyFor>
    </Empty>
  );
}

function NoContacts() {
  const { data: session } = useQuery(sessionQuery);
  const example = { email: 'jane@example.com', first_name: 'Jane' };
  return (
    <Empty icon={Users} title={TEXTS.empty.title} curl={curlOf(session?.apiUrl ?? '', 'POST', 'contacts', example)}>
      <p>{TEXTS.empty.text}</p>
    </Empty>
  );
}
