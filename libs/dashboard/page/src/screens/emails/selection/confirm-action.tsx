import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { useIdempotency } from '../../../hooks/use-idempotency';
import { FormDialog } from '../../../parts/form-dialog';
import { Problem } from '../../../parts/problem';
import { type BulkAction, TEXTS } from '../texts';
import { countQuery } from './bulk-queries';
import type { Selection } from './selection';

interface ConfirmActionProps {
  action: BulkAction;
  selection: Selection;
  query: Readonly<Record<string, string[]>>;
  /** The newest email of the list. Later ones are not among all that match. */
  newestId: string | undefined;
  onStarted: (id: string) => void;
  onClose: () => void;
}

/** Says how many emails an action is for and what happens to them, and starts it. */
export function ConfirmAction({ action, selection, query, newestId, onStarted, onClose }: ConfirmActionProps) {
  const texts = TEXTS.actions[action];
  const once = useIdempotency();
  const counting = useQuery({ ...countQuery(query), enabled: selection.kind === 'all' });
  const isCounting = counting.isFetching && counting.data === undefined;
  const count = selection.kind === 'some' ? selection.ids.size : counting.data;
  const emails = count === undefined ? TEXTS.allThatMatch : TEXTS.emailsOf(count);
  const start = useMutation({
    mutationFn: () => {
      const chosen = selection.kind === 'some' ? { ids: [...selection.ids] } : { filter: query, before: newestId };
      const body = { action, ...chosen };
      return api<{ id: string }>('POST', 'emails/actions', { body, headers: once.headersOf(JSON.stringify(body)) });
    },
    onSuccess: ({ id }) => onStarted(id),
  });
  return (
    <FormDialog
      title={texts.title(emails)}
      action={texts.confirm(emails)}
      isDangerous={action === 'cancel'}
      task={start}
      failure={TEXTS.notStarted}
      meaning={TEXTS.startMeaning}
      isIncomplete={isCounting || count === 0}
      closeLabel={TEXTS.close}
      onClose={onClose}
    >
      {isCounting && <p role="status">{TEXTS.counting}</p>}
      {counting.error && <Problem what={TEXTS.notCounted} error={counting.error} />}
      <p>{count === 0 ? TEXTS.noneMatches : texts.meaning}</p>
    </FormDialog>
  );
}
