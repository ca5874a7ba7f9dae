import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Tags } from 'lucide-react';
import { Link, useLocation, useParams } from 'wouter';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Topic } from '../../api/types';
import { Badge } from '../../parts/badge';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { AdminsOnly, OnlyFor } from '../../parts/only-for';
import { PagedList } from '../../parts/paged-list';
import { Panes } from '../../parts/panes';
import { plainName } from '../../parts/plain-name';
import { Row } from '../../parts/row';
import { ScreenHead } from '../../parts/screen-head';
import { Time } from '../../parts/time';
import { DEFAULTS, TEXTS, VISIBILITIES } from './texts';
import { TopicDetail } from './topic-detail';
import { TopicForm } from './topic-form';

const EXAMPLE = { name: 'Product news', default_subscription: 'opt_in', visibility: 'public' };

/** Topics of emails, which contacts can choose. */
export default function TopicsScreen() {
  const { id } = useParams();
  return (
    <Panes list={<TopicList chosenId={id} />} detail={detailOf(id)} back={{ href: '/topics', title: TEXTS.title }} />
  );
}

function detailOf(id: string | undefined) {
  if (id === undefined) return null;
  if (id !== 'new') return <TopicDetail key={id} id={id} />;
  return (
    <OnlyFor needs="admin" else={<AdminsOnly />}>
      <TopicForm key="new" />
    </OnlyFor>
  );
}

function TopicList({ chosenId }: { chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const pages = usePages<Topic>('topics', { limit: 100 });
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <OnlyFor needs="admin">
          <Link href="/topics/new" className="button primary end">
            {TEXTS.new}
          </Link>
        </OnlyFor>
      </ScreenHead>
      <PagedList
        pages={pages}
        failure={TEXTS.notListed}
        meaning={TEXTS.notListedMeaning}
        empty={<NoTopics />}
        label={TEXTS.list}
        idOf={({ id }) => id}
        row={(topic) => <TopicRow topic={topic} />}
        hrefOf={({ id }) => `/topics/${id}`}
        chosenId={chosenId}
        onClose={() => navigate('/topics')}
      />
    </>
  );
}

function TopicRow({ topic }: { topic: Topic }) {
  const { name, description, default_subscription: audience, visibility, created_at: createdAt } = topic;
  return (
    <Row
      title={<bdi>{plainName(name)}</bdi>}
      second={
        <bdi className="one-line">
          {[DEFAULTS[audience], plainName(description ?? '')].filter((part) => part !== '').join(' · ')}
        </bdi>
      }
      time={<Time value={createdAt} />}
      mark={<Badge icon={visibility === 'public' ? Eye : EyeOff} word={VISIBILITIES[visibility].word} tone="neutral" />}
    />
  );
}

function NoTopics() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty icon={Tags} title={TEXTS.empty.title} curl={curlOf(session?.apiUrl ?? '', 'POST', 'topics', EXAMPLE)}>
      <p>{TEXTS.empty.text}</p>
    </Empty>
  );
}
