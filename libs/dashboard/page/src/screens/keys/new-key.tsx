import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';

/** A new key with its token, which is shown only now. */
export interface MadeKey {
  id: string;
  name: string;
  token: string;
}

type Permission = 'full_access' | 'sending_access';

interface NewKeyProps {
  onMade: (key: MadeKey) => void;
  onClose: () => void;
}

/** Asks for a name and a permission. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<Permission>('full_access');
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => api<{ id: string; token: string }>('POST', 'api-keys', { body: { name, permission } }),
    onSuccess: ({ id, token }) => {
      void client.invalidateQueries({ queryKey: ['list', 'api-keys'] });
      onMade({ id, name, token });
    },
  });
  return (
    <FormDialog
      title="New key"
      action="Create key"
      task={making}
      failure="The key could not be created"
      onClose={onClose}
    >
      <Field label="Name" hint="The program that uses it, such as “Backend, production”.">
        {(ids) => (
          <input {...ids} value={name} maxLength={50} required onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="Permission" hint={MEANINGS[permission]}>
        {(ids) => (
          <select {...ids} value={permission} onChange={({ target }) => setPermission(target.value as Permission)}>
            <option value="full_access">full_access</option>
            <option value="sending_access">sending_access</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

const MEANINGS: Readonly<Record<Permission, string>> = {
  full_access: 'Allows everything in the API, including reading all emails.',
  sending_access: 'Allows sending emails only.',
};
