import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Topic } from '../../api/types';
import { Copyable, shortId } from '../../parts/copyable';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { DeleteTopic } from './delete-topic';
import { TopicForm } from './topic-form';

/** One topic, to be read and changed. */
export function TopicDetail({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const {
    data: topic,
    error,
    refetch,
  } = useQuery({
    queryKey: ['topic', id],
    queryFn: ({ signal }) => api<Topic>('GET', `topics/${encodeURIComponent(id)}`, { signal }),
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE', `topics/${encodeURIComponent(id)}`),
    onSuccess: () => {
      changePages<Topic>(client, 'topics', { goneId: id });
      navigate('/topics');
    },
  });
  if (error && topic === undefined) {
    return <Problem what="The topic could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (topic === undefined) return <p className="only-read">Loading</p>;
  return (
    <div className="stack">
      <header className="bar">
        <h1>{topic.name}</h1>
        <button type="button" className="danger end" onClick={() => setAsking(true)}>
          Delete
        </button>
      </header>
      <dl>
        <dt>Id</dt>
        <dd>
          <Copyable value={topic.id} shown={shortId(topic.id)} what="the id" />
        </dd>
        <dt>Made</dt>
        <dd>
          <Time value={topic.created_at} />
        </dd>
      </dl>
      <TopicForm topic={topic} />
      {isAsking && (
        <DeleteTopic
          topic={topic}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
