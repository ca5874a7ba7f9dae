import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { plainName } from '../../parts/plain-name';
import { QuestionDialog } from '../../parts/question-dialog';
import { TEXTS } from './texts';

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
  return (
    <QuestionDialog
      title={TEXTS.renaming.titleOf(plainName(apiKey.name))}
      action={TEXTS.renaming.action}
      task={renaming}
      failure={TEXTS.renaming.failure}
      label={TEXTS.creating.name}
      onClose={onClose}
    >
      {(ids) => (
        <input {...ids} value={name} maxLength={50} required onChange={({ target }) => setName(target.value)} />
      )}
    </QuestionDialog>
  );
}
