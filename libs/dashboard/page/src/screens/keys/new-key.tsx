import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { PERMISSIONS, TEXTS } from './texts';

/** A new key with its token, which is shown only now. */
export interface MadeKey {
  id: string;
  name: string;
  token: string;
}

type Permission = ApiKey['permission'];

const texts = TEXTS.creating;

interface NewKeyProps {
  onMade: (key: MadeKey) => void;
  onClose: () => void;
}

/** Asks for a name and a permission. The least permission is preset. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<Permission>('sending_access');
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => api<{ id: string; token: string }>('POST', 'api-keys', { body: { name, permission } }),
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
      <Field label={texts.permission} hint={PERMISSIONS[permission].meaning}>
        {(ids) => (
          <select {...ids} value={permission} onChange={({ target }) => setPermission(target.value as Permission)}>
            {Object.entries(PERMISSIONS).map(([value, { title }]) => (
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
