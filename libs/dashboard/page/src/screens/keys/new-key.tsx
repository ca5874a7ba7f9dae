import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';

/** A key that was just made, with what is shown of it only now. */
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

/** Asks for a name and what the key is for. */
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" hint="What uses it, such as “Backend, production”.">
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
        {making.error && <Problem what="The key could not be made" error={making.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={making.isPending}>
            Make the key
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const MEANINGS: Readonly<Record<Permission, string>> = {
  full_access: 'May do everything that the API can, and read all emails.',
  sending_access: 'May send emails and nothing else.',
};
