import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/client';
import type { Email, EmailRecipient } from '../../../../api/types';
import { useIdempotency } from '../../../../hooks/use-idempotency';
import { StateBadge } from '../../../../parts/badge';
import { FormDialog } from '../../../../parts/form-dialog';
import { TEXTS } from '../texts';

const texts = TEXTS.resend;

const UNREACHED = ['bounced', 'failed'];

interface ResendProps {
  email: Email;
  recipients: readonly EmailRecipient[];
  onClose: () => void;
  /** Called with the id of the new email. */
  onDone: (id: string) => void;
}

/** Sends the same content to some of its recipients, as a new email. */
export function Resend({ email, recipients, onClose, onDone }: ResendProps) {
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
      title={texts.title}
      action={texts.action}
      task={send}
      failure={texts.failed}
      isIncomplete={chosen.size === 0}
      onClose={onClose}
    >
      <p>{texts.meaning}</p>
      <fieldset className="choices">
        <legend>{texts.recipients}</legend>
        {recipients.map(({ address, last_event }) => (
          <label key={address} className="bar">
            <input type="checkbox" checked={chosen.has(address)} onChange={() => toggle(address)} />
            <bdi>{address}</bdi> <StateBadge state={last_event} />
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
