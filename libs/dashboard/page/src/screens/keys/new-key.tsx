import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { TEXTS, USES, type Use } from './texts';

/** A new key with its token, which is shown only now. */
export interface MadeKey {
  id: string;
  name: string;
  token: string;
}

const texts = TEXTS.creating;

interface NewKeyProps {
  onMade: (key: MadeKey) => void;
  onClose: () => void;
}

/** Asks for a name, and for a permission or a role. The least permission is preset. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [use, setUse] = useState<Use>('sending_access');
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => api<{ id: string; token: string }>('POST', 'api-keys', { body: { name, ...bodyOf(use) } }),
    onSuccess: ({ id, token }) => {
      void client.invalidateQueries({ queryKey: ['list', 'api-keys'] });
      onMade({ id, name, token });
    },
  });
  return (
    <FormDialog title={TEXTS.create} action={texts.action} task={making} failure={texts.failure} onClose={onClose}>
      <Field label={texts.name} hint={texts.nameHint}>
        {(ids) => (
          <input {...ids} value={name} maxLength={50} required onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label={texts.permission} hint={USES[use].meaning}>
        {(ids) => (
          <select {...ids} value={use} onChange={({ target }) => setUse(target.value as Use)}>
            {Object.entries(USES).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

function bodyOf(use: Use): object {
  return use === 'viewer' || use === 'support' ? { page_role: use } : { permission: use };
}
