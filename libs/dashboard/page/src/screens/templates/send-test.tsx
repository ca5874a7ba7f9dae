import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { useIdempotency } from '../../hooks/use-idempotency';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { keepTestAddresses, readTestAddresses } from './browser-store';
import type { EditedTemplate } from './edited-template';
import type { Samples } from './edited-variables';
import { testEmail } from './test-email';
import { TEXTS } from './texts';

const texts = TEXTS.testing;

interface SendTestProps {
  templateId: string;
  fields: EditedTemplate;
  samples: Samples;
  /** Sends the published template, which equals the draft here. */
  isPublished: boolean;
  onClose: () => void;
}

/** Asks for sender and recipient, and sends one email with the sample values. */
export function SendTest({ templateId, fields, samples, isPublished, onClose }: SendTestProps) {
  const { data: session } = useQuery(sessionQuery);
  const account = session?.account ?? '';
  const [addresses, setAddresses] = useState(() => readTestAddresses(account));
  const asksFrom = fields.from.trim() === '';
  const once = useIdempotency();
  const sending = useMutation({
    mutationFn: () => {
      keepTestAddresses(account, addresses);
      const body = testEmail({ templateId, fields, samples, isPublished, addresses });
      return api<{ id: string }>('POST', 'emails', { body, headers: once.headersOf(JSON.stringify(body)) });
    },
    onSuccess: once.done,
  });
  return (
    <FormDialog
      title={TEXTS.sendTest}
      action={texts.action}
      task={sending}
      failure={texts.failure}
      meaning={texts.meaning}
      isIncomplete={samples.missing.length > 0}
      closeLabel={texts.close}
      onClose={onClose}
    >
      <p>{isPublished ? texts.published : texts.draft}</p>
      {asksFrom && (
        <Field label={TEXTS.from} hint={texts.fromHint}>
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
      <Field label={texts.to}>
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
      {samples.missing.length > 0 && <p className="template-notice">{texts.missing(samples.missing)}</p>}
      <p role="status">
        {sending.data && (
          <>
            {texts.accepted} <Link href={`/emails/${sending.data.id}`}>{texts.view}</Link>
          </>
        )}
      </p>
    </FormDialog>
  );
}
