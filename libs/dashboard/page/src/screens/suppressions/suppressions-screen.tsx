import { useQuery } from '@tanstack/react-query';
import { SearchX, ShieldOff } from 'lucide-react';
import { Link, useLocation, useParams } from 'wouter';
import { queryOf } from '../../api/client';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import { suppressionQuery } from '../../api/suppressions';
import type { Suppression } from '../../api/types';
import { useUrlState } from '../../hooks/use-url-state';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { PagedList } from '../../parts/paged-list';
import { Panes } from '../../parts/panes';
import { personLink } from '../../parts/person-link';
import { plainName } from '../../parts/plain-name';
import { asOrigin } from './origins';
import { SuppressionDetail } from './suppression-detail';
import { SuppressionRow } from './suppression-row';
import { SuppressionsHead } from './suppressions-head';
import { TEXTS } from './texts';
import './suppressions.css';

/** Addresses that get no mail, and why. */
export default function SuppressionsScreen() {
  const { id } = useParams();
  const [state] = useUrlState();
  const wanted = state.get('find') ?? '';
  const origin = asOrigin(state.get('origin') ?? '');
  const query = queryOf({ find: wanted, origin });
  const list = { query, chosenId: id };
  return (
    <Panes
      list={
        <>
          <SuppressionsHead wanted={wanted} origin={origin} />
          {wanted === '' ? <AllSuppressions {...list} origin={origin} /> : <Found {...list} wanted={wanted} />}
        </>
      }
      detail={id !== undefined && <SuppressionDetail key={id} id={id} />}
      back={{ href: `/suppressions${query}`, title: TEXTS.title }}
    />
  );
}

interface ListProps {
  /** The text of the address bar. */
  query: string;
  chosenId: string | undefined;
}

function useListProps({ query, chosenId }: ListProps) {
  const [, navigate] = useLocation();
  return {
    failure: TEXTS.notListed,
    meaning: TEXTS.notListedMeaning,
    idOf: ({ id }: Suppression) => id,
    row: (suppression: Suppression) => <SuppressionRow suppression={suppression} />,
    hrefOf: ({ id }: Suppression) => `/suppressions/${id}${query}`,
    chosenId,
    onClose: () => navigate(`/suppressions${query}`),
  };
}

function AllSuppressions({ origin, ...props }: ListProps & { origin: Suppression['origin'] | undefined }) {
  const pages = usePages<Suppression>('suppressions', { query: { origin }, limit: 100 });
  return (
    <PagedList
      {...useListProps(props)}
      pages={pages}
      empty={origin === undefined ? <NoSuppressions /> : <NoneOfOrigin />}
      label={TEXTS.list}
    />
  );
}

function Found({ wanted, ...props }: ListProps & { wanted: string }) {
  const { data, error, isPending, refetch } = useQuery(suppressionQuery(wanted));
  return (
    <PagedList
      {...useListProps(props)}
      pages={{ items: data ? [data] : [], error, isPending, refetch }}
      empty={<NoSuchSuppression wanted={wanted} />}
      label={TEXTS.foundList}
    />
  );
}

function NoSuchSuppression({ wanted }: { wanted: string }) {
  return (
    <Empty icon={SearchX} title={TEXTS.find.noneOf(plainName(wanted))}>
      <p>{TEXTS.find.none}</p>
      {wanted.includes('@') && (
        <div>
          <Link href={personLink(wanted)} className="button">
            {TEXTS.find.person}
          </Link>
        </div>
      )}
    </Empty>
  );
}

function NoneOfOrigin() {
  return (
    <Empty icon={SearchX} title={TEXTS.empty.filtered}>
      <p>{TEXTS.empty.filteredText}</p>
    </Empty>
  );
}

function NoSuppressions() {
  const { data: session } = useQuery(sessionQuery);
  const example = { email: 'jane@example.com' };
  return (
    <Empty
      icon={ShieldOff}
      title={TEXTS.empty.title}
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'suppressions', example)}
    >
      <p>{TEXTS.empty.text}</p>
    </Empty>
  );
}
