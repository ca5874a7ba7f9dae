import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import { plainName } from '../../parts/plain-name';
import { QuestionDialog } from '../../parts/question-dialog';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';

const texts = TEXTS.adding;

/** Suppresses one address. */
export function AddSuppression({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [email, setEmail] = useState('');
  const add = useMutation({
    mutationFn: () => api<{ id: string }>('POST', 'suppressions', { body: { email: email.trim() } }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['list', 'suppressions'] });
      void client.invalidateQueries({ queryKey: ['suppression'], refetchType: 'none' });
      toast(texts.done(plainName(email.trim())));
      onClose();
      navigate(`/suppressions/${id}`);
    },
  });
  return (
    <QuestionDialog
      title={texts.title}
      action={texts.action}
      lead={texts.lead}
      label={texts.label}
      hint={texts.hint}
      task={add}
      failure={texts.failure}
      onClose={onClose}
    >
      {(ids) => (
        <input
          {...ids}
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
    </QuestionDialog>
  );
}
