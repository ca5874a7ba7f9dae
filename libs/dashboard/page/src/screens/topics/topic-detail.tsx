import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Topic } from '../../api/types';
import { Copyable, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { Changeable, OnlyFor } from '../../parts/only-for';
import { Time } from '../../parts/time';
import { DeleteTopic } from './delete-topic';
import { TopicForm } from './topic-form';

/** One topic, to read and change. */
export function TopicDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ['topic', id],
    queryFn: ({ signal }) => api<Topic>('GET', `topics/${encodeURIComponent(id)}`, { signal }),
  });
  return (
    <DetailScreen query={query} failure="The topic could not be read">
      {(topic) => ({
        title: topic.name,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={() => setAsking(true)}>
              Delete
            </button>
          </OnlyFor>
        ),
        facts: {
          Id: <Copyable value={topic.id} shown={shortId(topic.id)} what="the id" />,
          Made: <Time value={topic.created_at} />,
        },
        content: (
          <>
            <Changeable>
              <TopicForm topic={topic} />
            </Changeable>
            {isAsking && <DeleteTopic topic={topic} onClose={() => setAsking(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}
