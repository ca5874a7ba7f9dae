import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';

/** Asks for a name, creates the template and opens it. */
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
  return (
    <FormDialog
      title="New template"
      action="Create template"
      task={making}
      failure="The template could not be created"
      onClose={onClose}
    >
      <Field label="Name" hint="For your reference; recipients do not see it.">
        {(ids) => (
          <input {...ids} value={name} maxLength={255} required onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
    </FormDialog>
  );
}
