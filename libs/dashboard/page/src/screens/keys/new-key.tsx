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

/** A permission of the API, or a role of a key that opens this page alone. */
type Use = 'full_access' | 'sending_access' | 'viewer' | 'support';

interface NewKeyProps {
  onMade: (key: MadeKey) => void;
  onClose: () => void;
}

/** Asks for a name, and for a permission or a role. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [use, setUse] = useState<Use>('full_access');
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => api<{ id: string; token: string }>('POST', 'api-keys', { body: { name, ...bodyOf(use) } }),
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
      <Field label="Permission" hint={MEANINGS[use]}>
        {(ids) => (
          <select {...ids} value={use} onChange={({ target }) => setUse(target.value as Use)}>
            <option value="full_access">full_access</option>
            <option value="sending_access">sending_access</option>
            <option value="viewer">page: viewer</option>
            <option value="support">page: support</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

function bodyOf(use: Use): object {
  return use === 'viewer' || use === 'support' ? { page_role: use } : { permission: use };
}

const MEANINGS: Readonly<Record<Use, string>> = {
  full_access: 'Allows everything in the API, including reading all emails.',
  sending_access: 'Allows sending emails only.',
  viewer: 'Opens this page only, without contents and actions.',
  support: 'Opens this page only: shows contents, and cancels, retries and resends emails.',
};
