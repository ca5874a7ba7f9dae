import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Topic } from '../../api/types';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { VirtualList } from '../../parts/virtual-list';
import { TopicDetail } from './topic-detail';
import { TopicForm } from './topic-form';
import { DEFAULTS } from './topic-values';
import './topics.css';

/** Topics of emails, which contacts can choose. */
export default function TopicsScreen() {
  const { id } = useParams();
  return <Panes list={<TopicList chosenId={id} />} detail={detailOf(id)} back={{ href: '/topics', title: 'Topics' }} />;
}

function detailOf(id: string | undefined) {
  if (id === undefined) return null;
  return id === 'new' ? <TopicForm key="new" /> : <TopicDetail key={id} id={id} />;
}

function TopicList({ chosenId }: { chosenId: string | undefined }) {
  const [, navigate] = useLocation();
  const { items, hasNextPage, needMore, isSuccess, error, refetch } = usePages<Topic>('topics', { limit: 100 });
  return (
    <>
      <ScreenHead title="Topics">
        <OnlyFor needs="admin">
          <Link href="/topics/new" className="button end">
            New topic
          </Link>
        </OnlyFor>
      </ScreenHead>
      {error && (
        <Problem
          what="The topics could not be listed"
          error={error}
          meaning="Emails are sent as before, to recipients who want them."
          onRetry={() => void refetch()}
        />
      )}
      {isSuccess && items.length === 0 ? (
        <NoTopics />
      ) : (
        <VirtualList
          label="All topics"
          items={items}
          idOf={({ id }) => id}
          rowHeight={56}
          row={(topic) => <Row topic={topic} />}
          hrefOf={({ id }) => `/topics/${id}`}
          chosenId={chosenId}
          onClose={() => navigate('/topics')}
          hasMore={hasNextPage}
          onNeedMore={needMore}
        />
      )}
    </>
  );
}

function Row({ topic: { name, description, default_subscription, visibility } }: { topic: Topic }) {
  return (
    <span className="topic-row">
      <span className="one-line">
        <strong>{name}</strong> <span className="soft">{description}</span>
      </span>
      <span className="soft one-line">
        {DEFAULTS[default_subscription]} · {visibility}
      </span>
    </span>
  );
}

function NoTopics() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Empty
      title="No topics yet"
      curl={curlOf(session?.apiUrl ?? '', 'POST', 'topics', {
        name: 'Product news',
        default_subscription: 'opt_in',
        visibility: 'public',
      })}
    >
      <p>
        A topic is what an email is about. An email with a `topic_id` reaches only those who want it. Create a topic
        here, or with the API:
      </p>
    </Empty>
  );
}
