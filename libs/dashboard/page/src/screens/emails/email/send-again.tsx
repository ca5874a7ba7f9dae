import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import type { Email, EmailRecipient } from '../../../api/types';
import { useIdempotency } from '../../../hooks/use-idempotency';
import { Dialog } from '../../../parts/dialog';
import { Problem } from '../../../parts/problem';
import { StateMark } from '../../../parts/state-mark';

const UNREACHED = ['bounced', 'failed'];

interface SendAgainProps {
  email: Email;
  recipients: readonly EmailRecipient[];
  onClose: () => void;
  /** With the id of the new email. */
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
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <Dialog title="Send it again" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <p>A new email with the same content goes to those who are chosen. This one stays as it is.</p>
        <fieldset className="choices">
          <legend>Recipients</legend>
          {recipients.map(({ address, last_event }) => (
            <label key={address} className="bar">
              <input type="checkbox" checked={chosen.has(address)} onChange={() => toggle(address)} />
              {address} <StateMark state={last_event} />
            </label>
          ))}
        </fieldset>
        {send.error && <Problem what="It was not sent again" error={send.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={chosen.size === 0 || send.isPending}>
            Send again
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
