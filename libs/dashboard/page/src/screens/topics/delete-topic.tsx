import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api, queryOf } from '../../api/client';
import type { Email, List, Topic } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';

/** Asks for a confirmation, with the number of emails that would not reach their recipients. */
export function DeleteTopic({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => api('DELETE', `topics/${topic.id}`),
    onSuccess: () => {
      changePages<Topic>(client, 'topics', { goneId: topic.id });
      navigate('/topics');
    },
  });
  return (
    <FormDialog
      title={`Delete the topic ${topic.name}?`}
      action="Delete the topic"
      isDangerous
      task={remove}
      failure="The topic was not deleted"
      meaning="Emails of this topic are sent as before."
      onClose={onClose}
    >
      <p>
        <Waiting topicId={topic.id} /> Emails that are pending at the deletion reach nobody: they fail with the reason
        topic_opted_out. Sent emails do not change.
      </p>
      <p>The contacts' choices for this topic are deleted with it, and cannot be restored.</p>
    </FormDialog>
  );
}

/** Number of emails of the topic that are not sent yet. */
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
  if (number === '0') return <strong>No emails of this topic are pending.</strong>;
  return (
    <strong>
      {number === '1' ? '1 email of this topic is pending.' : `${number} emails of this topic are pending.`}
    </strong>
  );
}
