import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import type { Email, EmailRecipient } from '../../../api/types';
import { useIdempotency } from '../../../hooks/use-idempotency';
import { StateBadge } from '../../../parts/badge';
import { FormDialog } from '../../../parts/form-dialog';

const UNREACHED = ['bounced', 'failed'];

interface SendAgainProps {
  email: Email;
  recipients: readonly EmailRecipient[];
  onClose: () => void;
  /** Called with the id of the new email. */
  onDone: (id: string) => void;
}

/** Sends the same content to some of its recipients, as a new email. */
export function SendAgain({ email, recipients, onClose, onDone }: SendAgainProps) {
  const [chosen, setChosen] = useState(
    () => new Set(recipients.filter(({ last_event }) => UNREACHED.includes(last_event)).map(({ address }) => address)),
  );
  const once = useIdempotency();
  const send = useMutation({
    mutationFn: () =>
      api<{ id: string }>('POST', `emails/${email.id}/resend`, {
        body: { recipients: [...chosen].sort() },
        headers: once.headersOf([...chosen].sort().join(' ')),
      }),
    onSuccess: ({ id }) => onDone(id),
  });
  const toggle = (address: string) => {
    const next = new Set(chosen);
    if (!next.delete(address)) next.add(address);
    setChosen(next);
  };
  return (
    <FormDialog
      title="Send it again"
      action="Send again"
      task={send}
      failure="It was not sent again"
      isIncomplete={chosen.size === 0}
      onClose={onClose}
    >
      <p>A new email with the same content is sent to the selected recipients. This one stays unchanged.</p>
      <fieldset className="choices">
        <legend>Recipients</legend>
        {recipients.map(({ address, last_event }) => (
          <label key={address} className="bar">
            <input type="checkbox" checked={chosen.has(address)} onChange={() => toggle(address)} />
            {address} <StateBadge state={last_event} />
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
