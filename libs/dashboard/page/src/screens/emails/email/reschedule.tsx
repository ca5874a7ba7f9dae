import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import type { Email } from '../../../api/types';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { Problem } from '../../../parts/problem';

interface RescheduleProps {
  email: Email;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for another time, as the API takes it. */
export function Reschedule({ email, onClose, onDone }: RescheduleProps) {
  const [time, setTime] = useState('in 10 minutes');
  const change = useMutation({
    mutationFn: () => api('PATCH', `emails/${email.id}`, { body: { scheduled_at: time } }),
    onSuccess: onDone,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog title="Send it at another time" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="When" hint="Such as “in 2 hours”, “tomorrow at 9am” (UTC), or 2026-12-24T09:00:00+01:00.">
          {(ids) => <input {...ids} required value={time} onChange={({ target }) => setTime(target.value)} />}
        </Field>
        {change.error && <Problem what="The time was not changed" error={change.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={change.isPending}>
            Reschedule
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
