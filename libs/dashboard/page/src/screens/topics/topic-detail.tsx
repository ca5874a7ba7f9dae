import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { segment } from '../../api/segment';
import type { Topic } from '../../api/types';
import { Card } from '../../parts/card';
import { Copyable, shortId } from '../../parts/copyable';
import { DetailScreen } from '../../parts/detail-screen';
import { Changeable, OnlyFor } from '../../parts/only-for';
import { plainName } from '../../parts/plain-name';
import { Time } from '../../parts/time';
import { DeleteTopic } from './delete-topic';
import { TEXTS } from './texts';
import { TopicForm } from './topic-form';

/** One topic, to read and change. */
export function TopicDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ['topic', id],
    queryFn: ({ signal }) => api<Topic>('GET', `topics/${segment(id)}`, { signal }),
  });
  return (
    <DetailScreen query={query} failure={TEXTS.notRead} missing={TEXTS.missing}>
      {(topic) => ({
        title: <bdi>{plainName(topic.name)}</bdi>,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={() => setAsking(true)}>
              {TEXTS.delete}
            </button>
          </OnlyFor>
        ),
        facts: {
          [TEXTS.id]: <Copyable value={topic.id} shown={shortId(topic.id)} what={TEXTS.theId} />,
          [TEXTS.created]: <Time value={topic.created_at} />,
        },
        content: (
          <>
            <Card title={TEXTS.settings}>
              <Changeable>
                <TopicForm topic={topic} />
              </Changeable>
            </Card>
            {isAsking && <DeleteTopic topic={topic} onClose={() => setAsking(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}
