import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/client';
import type { Email, EmailRecipient } from '../../../api/types';
import { Confirm } from '../../../parts/dialog';
import { Problem } from '../../../parts/problem';
import { possibleIn } from './progress';
import { Reschedule } from './reschedule';
import { SendAgain } from './send-again';

interface ActionsProps {
  email: Email;
  recipients: readonly EmailRecipient[];
}

/** What can be done with the email now, and nothing else. */
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
  const possible = possibleIn(email.last_event);
  const close = () => setOpen(undefined);
  return (
    <div className="end">
      <div className="bar">
        {possible.retry && (
          <button type="button" disabled={change.isPending} onClick={() => change.mutate('retry')}>
            Try again now
          </button>
        )}
        {possible.reschedule && (
          <button type="button" onClick={() => setOpen('reschedule')}>
            Reschedule
          </button>
        )}
        {possible.sendAgain && (
          <button type="button" onClick={() => setOpen('again')}>
            Send again
          </button>
        )}
        {possible.cancel && (
          <button type="button" className="danger" onClick={() => setOpen('cancel')}>
            Cancel
          </button>
        )}
      </div>
      {change.error && <Problem what="Nothing was changed" error={change.error} />}
      {open === 'cancel' && (
        <Confirm
          title="Cancel this email?"
          action="Cancel the email"
          isDangerous
          isBusy={change.isPending}
          onConfirm={() => change.mutate('cancel')}
          onClose={close}
        >
          <p>It will not be sent to anybody. This cannot be undone.</p>
        </Confirm>
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
