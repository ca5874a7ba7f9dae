import { useQuery } from '@tanstack/react-query';
import { api, queryOf } from '../../api/client';
import type { Email, List, Topic } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { useRemoval } from '../../parts/use-removal';
import { TEXTS } from './texts';

const texts = TEXTS.deleting;

/** Asks for a confirmation, with the number of emails that would not reach their recipients. */
export function DeleteTopic({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const name = plainName(topic.name);
  const remove = useRemoval({ list: 'topics', id: topic.id, done: TEXTS.wasDeleted(name) });
  return (
    <FormDialog
      title={texts.titleOf(name)}
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
