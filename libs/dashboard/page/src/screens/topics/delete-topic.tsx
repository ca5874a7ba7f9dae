import { useQuery } from '@tanstack/react-query';
import { api, queryOf } from '../../api/client';
import type { Email, List, Topic } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';

interface DeleteTopicProps {
  topic: Topic;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once, and says which emails it would keep from their recipients. */
export function DeleteTopic({ topic, isBusy, error, onConfirm, onClose }: DeleteTopicProps) {
  return (
    <Confirm
      title={`Delete the topic ${topic.name}?`}
      action="Delete the topic"
      isDangerous
      isBusy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <Waiting topicId={topic.id} /> Those that still wait when the topic is gone reach nobody: they end as failed,
          with the reason topic_opted_out. What was sent stays as it is.
        </p>
        <p>The choices that contacts made for this topic are deleted with it, and cannot be brought back.</p>
        {error != null && (
          <Problem what="The topic was not deleted" error={error} meaning="Emails of this topic go out as before." />
        )}
      </div>
    </Confirm>
  );
}

/** How many emails of the topic are not sent yet. */
function Waiting({ topicId }: { topicId: string }) {
  const { data: emails } = useQuery({
    queryKey: ['waiting emails of a topic', topicId],
    queryFn: ({ signal }) => {
      const query = queryOf({ topic_id: topicId, last_event: 'scheduled,queued,delivery_delayed', limit: 100 });
      return api<List<Email>>('GET', `emails${query}`, { signal });
    },
  });
  if (emails === undefined) return null;
  const number = emails.has_more ? 'More than 100' : String(emails.data.length);
  if (number === '0') return <strong>No emails of this topic wait now.</strong>;
  return (
    <strong>{number === '1' ? '1 email of this topic waits now.' : `${number} emails of this topic wait now.`}</strong>
  );
}
