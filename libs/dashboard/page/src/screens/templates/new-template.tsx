import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';

/** Asks for a name, makes the template and leads to it. */
export function NewTemplate({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => api<Template>('POST', 'templates', { body: { name } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['list', 'templates'] });
      navigate(`/templates/${id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Dialog title="New template" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" hint="For you to find it; recipients do not see it.">
          {(ids) => (
            <input {...ids} value={name} maxLength={255} required onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        {making.error && <Problem what="The template could not be made" error={making.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={making.isPending}>
            Make the template
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
