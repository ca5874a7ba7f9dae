import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { QuestionDialog, ResultDialog } from '../../parts/question-dialog';
import { localTime } from './local-time';
import { TEXTS } from './texts';
import { logKey } from './webhook-queries';

const DAY = 86_400_000;

interface ReplayFailedProps {
  webhook: Webhook;
  onClose: () => void;
}

interface Group {
  replayed: number;
  has_more: boolean;
  last: string | null;
}

/** Replays all failed events since a time, group by group, with their number so far. */
export function ReplayFailed({ webhook, onClose }: ReplayFailedProps) {
  const [since, setSince] = useState(() => localTime(Date.now() - DAY));
  const [count, setCount] = useState(0);
  /** Where a retry after a failed request goes on. */
  const last = useRef<string>(undefined);
  const client = useQueryClient();
  const replaying = useMutation({
    mutationFn: async () => {
      for (let hasMore = true; hasMore; ) {
        const body = { since: new Date(since).toISOString(), after: last.current };
        const group = await api<Group>('POST', `webhooks/${webhook.id}/replay`, { body });
        last.current = group.last ?? last.current;
        hasMore = group.has_more;
        setCount((before) => before + group.replayed);
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: logKey(webhook.id) }),
  });
  if (replaying.isSuccess) {
    return <ResultDialog title={TEXTS.replayed(count)} done={TEXTS.done} onClose={onClose} />;
  }
  return (
    <QuestionDialog
      title={TEXTS.replayTitle}
      action={TEXTS.replayAction}
      task={replaying}
      failure={TEXTS.replayProblem}
      meaning={TEXTS.replayProblemMeaning}
      note={count > 0 && <span role="status">{TEXTS.replayed(count)}</span>}
      lead={TEXTS.replayLead}
      label={TEXTS.replaySince}
      hint={TEXTS.replayHint}
      onClose={onClose}
    >
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          required
          value={since}
          onChange={({ target }) => {
            last.current = undefined;
            setCount(0);
            setSince(target.value);
          }}
        />
      )}
    </QuestionDialog>
  );
}
