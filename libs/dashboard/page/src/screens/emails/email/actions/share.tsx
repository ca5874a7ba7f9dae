import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/client';
import { Copyable } from '../../../../parts/copyable';
import { Dialog } from '../../../../parts/dialog';
import { Field } from '../../../../parts/field';
import { FormDialog } from '../../../../parts/form-dialog';
import { TEXTS } from '../texts';

const texts = TEXTS.share;

/** Makes a link that shows the email without a sign-in, for some time. */
export function Share({ id, onClose }: { id: string; onClose: () => void }) {
  const [time, setTime] = useState<string>('24h');
  const share = useMutation({
    mutationFn: () => api<{ url: string }>('POST', `emails/${id}/share`, { body: { expires_in: time } }),
  });
  if (share.data) {
    return (
      <Dialog title={texts.ready} onClose={onClose}>
        <Copyable value={share.data.url} what={texts.link} />
        <button type="button" className="email-done" onClick={onClose}>
          {texts.done}
        </button>
      </Dialog>
    );
  }
  return (
    <FormDialog title={texts.title} action={texts.action} task={share} failure={texts.failed} onClose={onClose}>
      <p>{texts.meaning}</p>
      <Field label={texts.expires}>
        {(ids) => (
          <select {...ids} value={time} onChange={({ target }) => setTime(target.value)}>
            {Object.entries(texts.times).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
