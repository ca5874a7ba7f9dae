import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api, queryOf } from '../../api/client';
import type { Email, List, Topic } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';

const texts = TEXTS.deleting;

/** Asks for a confirmation, with the number of emails that would not reach their recipients. */
export function DeleteTopic({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => api('DELETE', `topics/${topic.id}`),
    onSuccess: () => {
      changePages<Topic>(client, 'topics', { goneId: topic.id });
      toast(TEXTS.wasDeleted(plainName(topic.name)));
      navigate('/topics');
    },
  });
  return (
    <FormDialog
      title={texts.titleOf(plainName(topic.name))}
      action={texts.action}
      isDangerous
      task={remove}
      failure={texts.failure}
      meaning={texts.meaning}
      onClose={onClose}
    >
      <p>
        <Waiting topicId={topic.id} /> {texts.emails}
      </p>
      <p>{texts.choices}</p>
    </FormDialog>
  );
}

/** Number of emails of the topic that are not sent yet. */
function Waiting({ topicId }: { topicId: string }) {
  const { data: emails } = useQuery({
    queryKey: ['waiting emails of a topic', topicId],
    queryFn: ({ signal }) => {
      const query = queryOf({
        topic_id: topicId,
        last_event: 'scheduled,queued,delivery_delayed',
        fields: 'summary',
        limit: 100,
      });
      return api<List<Email>>('GET', `emails${query}`, { signal });
    },
  });
  if (emails === undefined) return null;
  return <strong>{texts.pending(emails.data.length, emails.has_more)}</strong>;
}
