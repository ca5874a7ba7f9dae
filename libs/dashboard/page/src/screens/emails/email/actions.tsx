import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/client';
import type { Email, EmailRecipient } from '../../../api/types';
import { FormDialog } from '../../../parts/form-dialog';
import { Problem } from '../../../parts/problem';
import { useMay } from '../../../parts/use-may';
import { possibleIn } from './progress';
import { Reschedule } from './reschedule';
import { SendAgain } from './send-again';

interface ActionsProps {
  email: Email;
  recipients: readonly EmailRecipient[];
}

/** Actions that are possible on the email now, and no others. */
export function Actions({ email, recipients }: ActionsProps) {
  const [open, setOpen] = useState<'cancel' | 'reschedule' | 'again'>();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const refresh = () => {
    setOpen(undefined);
    void client.invalidateQueries({ queryKey: ['emails'] });
  };
  const change = useMutation({
    mutationFn: (what: 'cancel' | 'retry') => api('POST', `emails/${email.id}/${what}`),
    onSettled: refresh,
  });
  const may = useMay();
  const possible = possibleIn(email.last_event, recipients);
  const close = () => setOpen(undefined);
  return (
    <div className="end">
      <div className="bar">
        {possible.retry && may('support') && (
          <button type="button" disabled={change.isPending} onClick={() => change.mutate('retry')}>
            Try again now
          </button>
        )}
        {possible.reschedule && may('admin') && (
          <button type="button" onClick={() => setOpen('reschedule')}>
            Reschedule
          </button>
        )}
        {possible.sendAgain && !email.sensitive && may('support') && (
          <button type="button" onClick={() => setOpen('again')}>
            Send again
          </button>
        )}
        {possible.cancel && may('support') && (
          <button type="button" className="danger" onClick={() => setOpen('cancel')}>
            Cancel
          </button>
        )}
      </div>
      {change.error && <Problem what="Nothing was changed" error={change.error} />}
      {open === 'cancel' && (
        <FormDialog
          title="Cancel this email?"
          action="Cancel the email"
          closeLabel="Keep it"
          isDangerous
          task={{ isPending: change.isPending, mutate: () => change.mutate('cancel') }}
          onClose={close}
        >
          <p>It will not be sent. This cannot be undone.</p>
        </FormDialog>
      )}
      {open === 'reschedule' && <Reschedule email={email} onClose={close} onDone={refresh} />}
      {open === 'again' && (
        <SendAgain
          email={email}
          recipients={recipients}
          onClose={close}
          onDone={(id) => {
            refresh();
            navigate(`/emails/${id}`);
          }}
        />
      )}
    </div>
  );
}
