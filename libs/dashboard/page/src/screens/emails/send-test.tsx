import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import { useIdempotency } from '../../hooks/use-idempotency';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';

const FIRST = {
  from: 'You <you@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
};

/** Sends one email, to see what becomes of it. */
export function SendTest({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState(FIRST);
  const [, navigate] = useLocation();
  const once = useIdempotency();
  const send = useMutation({
    mutationFn: () =>
      api<{ id: string }>('POST', 'emails', { body: email, headers: once.headersOf(JSON.stringify(email)) }),
    onSuccess: ({ id }) => {
      onClose();
      navigate(`/emails/${id}`);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
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
    <Dialog title="Send a test" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        {field('from', 'From')}
        {field('to', 'To')}
        {field('subject', 'Subject')}
        <Field label="Html">
          {(ids) => (
            <textarea
              {...ids}
              rows={6}
              value={email.html}
              onChange={({ target }) => setEmail({ ...email, html: target.value })}
            />
          )}
        </Field>
        {send.error && <Problem what="The email was not sent" error={send.error} />}
        <div className="bar">
          <button type="submit" className="primary" disabled={send.isPending}>
            Send
          </button>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}
