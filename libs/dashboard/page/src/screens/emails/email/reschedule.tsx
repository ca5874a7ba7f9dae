import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import type { Email } from '../../../api/types';
import { Field } from '../../../parts/field';
import { FormDialog } from '../../../parts/form-dialog';

interface RescheduleProps {
  email: Email;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for another time in a format of the API. */
export function Reschedule({ email, onClose, onDone }: RescheduleProps) {
  const [time, setTime] = useState('in 10 minutes');
  const change = useMutation({
    mutationFn: () => api('PATCH', `emails/${email.id}`, { body: { scheduled_at: time } }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title="Reschedule the email"
      action="Reschedule"
      task={change}
      failure="The time was not changed"
      onClose={onClose}
    >
      <Field label="When" hint="Such as “in 2 hours”, “tomorrow at 9am” (UTC), or 2026-12-24T09:00:00+01:00.">
        {(ids) => <input {...ids} required value={time} onChange={({ target }) => setTime(target.value)} />}
      </Field>
    </FormDialog>
  );
}
