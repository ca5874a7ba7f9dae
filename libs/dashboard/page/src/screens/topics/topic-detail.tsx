import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, MOUNT } from '../../api/client';
import { segment } from '../../api/segment';
import { sessionQuery } from '../../api/session';
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
import './topic-detail.css';

/** One topic, to read and change. */
export function TopicDetail({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const hasChoices = useQuery(sessionQuery).data?.features.choices === true;
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
            {hasChoices && (
              <Card title={TEXTS.choices.title}>
                <p className="soft">{TEXTS.choices.hint}</p>
                <iframe
                  // A saved change is there to be seen.
                  key={query.dataUpdatedAt}
                  className="choices-page"
                  src={`${MOUNT}frames/topics/${segment(topic.id)}`}
                  title={TEXTS.choices.frame}
                  sandbox="allow-popups allow-popups-to-escape-sandbox"
                  referrerPolicy="no-referrer"
                />
              </Card>
            )}
            {isAsking && <DeleteTopic topic={topic} onClose={() => setAsking(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}
