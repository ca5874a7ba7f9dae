import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';

/** Asks for another name. */
export function RenameKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name);
  const client = useQueryClient();
  const renaming = useMutation({
    mutationFn: () => api('PATCH', `api-keys/${apiKey.id}`, { body: { name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['list', 'api-keys'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Dialog title={`Rename “${apiKey.name}”`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name">
          {(ids) => (
            <input {...ids} value={name} maxLength={50} required onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        {renaming.error && <Problem what="The key could not be renamed" error={renaming.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={renaming.isPending}>
            Rename the key
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
