import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { QuestionDialog } from '../../parts/question-dialog';
import { TEXTS } from './texts';

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
    <QuestionDialog
      title={TEXTS.new}
      action={TEXTS.creating.action}
      task={making}
      failure={TEXTS.creating.failure}
      label={TEXTS.name}
      hint={TEXTS.creating.nameHint}
      onClose={onClose}
    >
      {(ids) => (
        <input {...ids} value={name} maxLength={255} required onChange={({ target }) => setName(target.value)} />
      )}
    </QuestionDialog>
  );
}
