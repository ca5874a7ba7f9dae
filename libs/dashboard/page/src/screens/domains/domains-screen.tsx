import { useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { ListedDomain } from '../../api/domains';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { PagedList } from '../../parts/paged-list';
import { Panes } from '../../parts/panes';
import { ScreenHead } from '../../parts/screen-head';
import { AddDomain } from './add-domain';
import { DomainDetail } from './domain-detail';
import { DomainRow } from './domain-row';
import { TEXTS } from './texts';
import './domains.css';

/** Domains that emails are sent from, and their DNS records. */
export default function DomainsScreen() {
  const { id } = useParams();
  const [isAdding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <>
      <Panes
        list={<DomainList chosenId={id} onAdd={add} />}
        detail={id !== undefined && <DomainDetail key={id} id={id} />}
        back={{ href: '/domains', title: TEXTS.title }}
      />
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
    </>
  );
}

function DomainList({ chosenId, onAdd }: { chosenId: string | undefined; onAdd: () => void }) {
  const [, navigate] = useLocation();
  const pages = usePages<ListedDomain>('domains', { limit: 100 });
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <OnlyFor needs="admin">
          <button type="button" className="primary end" onClick={onAdd}>
            {TEXTS.add}
          </button>
        </OnlyFor>
      </ScreenHead>
      <PagedList
        pages={pages}
        failure={TEXTS.notListed}
        meaning={TEXTS.notListedMeaning}
        empty={<NoDomains />}
        label={TEXTS.list}
        idOf={({ id }) => id}
        row={(domain) => <DomainRow domain={domain} />}
        hrefOf={({ id }) => `/domains/${id}`}
        chosenId={chosenId}
        onClose={() => navigate('/domains')}
      />
    </>
  );
}

function NoDomains() {
  const { data: session } = useQuery(sessionQuery);
  const { text, title, viewer } = TEXTS.empty;
  return (
    <Empty icon={Globe} title={title} curl={curlOf(session?.apiUrl ?? '', 'POST', 'domains', { name: 'example.com' })}>
      <p>{text}</p>
      <OnlyFor needs="admin" else={<p>{viewer}</p>}>
        {null}
      </OnlyFor>
    </Empty>
  );
}
