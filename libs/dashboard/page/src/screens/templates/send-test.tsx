import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { useIdempotency } from '../../hooks/use-idempotency';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';
import { keepTestAddresses, readTestAddresses } from './browser-store';
import type { EditedTemplate } from './edited-template';
import type { Samples } from './edited-variables';
import { testEmail } from './test-email';

interface SendTestProps {
  templateId: string;
  fields: EditedTemplate;
  samples: Samples;
  /** The template is sent as it was published: what is here says the same. */
  isPublished: boolean;
  onClose: () => void;
}

/** Asks between whom, and sends one email with the sample values. */
export function SendTest({ templateId, fields, samples, isPublished, onClose }: SendTestProps) {
  const { data: session } = useQuery(sessionQuery);
  const account = session?.account ?? '';
  const [addresses, setAddresses] = useState(() => readTestAddresses(account));
  const asksFrom = fields.from.trim() === '';
  const once = useIdempotency();
  const sending = useMutation({
    mutationFn: () => {
      const body = testEmail({ templateId, fields, samples, isPublished, addresses });
      return api<{ id: string }>('POST', 'emails', { body, headers: once.headersOf(JSON.stringify(body)) });
    },
    onSuccess: once.done,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keepTestAddresses(account, addresses);
    sending.mutate();
  };
  return (
    <Dialog title="Send a test" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          {isPublished
            ? 'One email of the published version, with the sample values.'
            : 'One email of the draft as it is here, with the sample values. It is not published by this.'}
        </p>
        {asksFrom && (
          <Field label="From" hint="The template names no sender.">
            {(ids) => (
              <input
                {...ids}
                required
                value={addresses.from}
                onChange={({ target }) => setAddresses({ ...addresses, from: target.value })}
              />
            )}
          </Field>
        )}
        <Field label="To">
          {(ids) => (
            <input
              {...ids}
              required
              inputMode="email"
              value={addresses.to}
              onChange={({ target }) => setAddresses({ ...addresses, to: target.value })}
            />
          )}
        </Field>
        {samples.missing.length > 0 && (
          <p className="template-notice">Give a sample value or a fallback first: {samples.missing.join(', ')}.</p>
        )}
        {sending.error && (
          <Problem what="The test could not be sent" error={sending.error} meaning="No email was accepted." />
        )}
        <p role="status">
          {sending.data && (
            <>
              Accepted. <Link href={`/emails/${sending.data.id}`}>See what becomes of it</Link>
            </>
          )}
        </p>
        <div className="bar">
          <button type="submit" className="primary" disabled={sending.isPending || samples.missing.length > 0}>
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
