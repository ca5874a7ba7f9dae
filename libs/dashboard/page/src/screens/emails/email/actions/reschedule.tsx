import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/client';
import type { Email } from '../../../../api/types';
import { Field } from '../../../../parts/field';
import { FormDialog } from '../../../../parts/form-dialog';
import { TEXTS } from '../texts';

const texts = TEXTS.reschedule;

interface RescheduleProps {
  email: Email;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for another time in a format of the API. */
export function Reschedule({ email, onClose, onDone }: RescheduleProps) {
  const [time, setTime] = useState<string>(texts.suggestion);
  const change = useMutation({
    mutationFn: () => api('PATCH', `emails/${email.id}`, { body: { scheduled_at: time } }),
    onSuccess: onDone,
  });
  return (
    <FormDialog title={texts.title} action={texts.action} task={change} failure={texts.failed} onClose={onClose}>
      <Field label={texts.when} hint={texts.hint}>
        {(ids) => <input {...ids} required value={time} onChange={({ target }) => setTime(target.value)} />}
      </Field>
    </FormDialog>
  );
}
