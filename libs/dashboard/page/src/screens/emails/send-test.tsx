import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import { useIdempotency } from '../../hooks/use-idempotency';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';

const texts = TEXTS.test;

const FIRST = {
  from: 'You <you@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
};

/** Sends one test email. */
export function SendTest({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState(FIRST);
  const [, navigate] = useLocation();
  const once = useIdempotency();
  const toast = useToast();
  const send = useMutation({
    mutationFn: () =>
      api<{ id: string }>('POST', 'emails', { body: email, headers: once.headersOf(JSON.stringify(email)) }),
    onSuccess: ({ id }) => {
      onClose();
      toast(texts.sent);
      navigate(`/emails/${id}`);
    },
  });
  const field = (name: 'from' | 'to' | 'subject', label: string) => (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          required
          value={email[name]}
          onChange={({ target }) => setEmail({ ...email, [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      title={texts.title}
      action={texts.action}
      task={send}
      failure={texts.failure}
      closeLabel={texts.close}
      onClose={onClose}
    >
      {field('from', texts.from)}
      {field('to', texts.to)}
      {field('subject', texts.subject)}
      <Field label={texts.html}>
        {(ids) => (
          <textarea
            {...ids}
            rows={6}
            value={email.html}
            onChange={({ target }) => setEmail({ ...email, html: target.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}
