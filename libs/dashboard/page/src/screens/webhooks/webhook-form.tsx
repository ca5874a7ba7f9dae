import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { EventChoice } from './event-choice';
import { EVENT_TYPES } from './event-groups';
import { TEXTS } from './texts';
import { webhookQuery, webhooksQuery } from './webhook-queries';

const texts = TEXTS.form;

interface WebhookFormProps {
  /** Undefined: a new one. */
  webhook?: Webhook;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Asks for the endpoint and its event types. */
export function WebhookForm({ webhook, onSaved, onClose }: WebhookFormProps) {
  const [endpoint, setEndpoint] = useState(webhook?.endpoint ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(webhook?.events));
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const body = { endpoint: endpoint.trim(), events: EVENT_TYPES.filter((type) => chosen.has(type)) };
      return webhook
        ? api<{ id: string }>('PATCH', `webhooks/${webhook.id}`, { body })
        : api<{ id: string }>('POST', 'webhooks', { body });
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      await client.invalidateQueries({ queryKey: webhookQuery(id).queryKey });
      onSaved(id);
    },
  });
  return (
    <FormDialog
      title={webhook ? texts.edit : TEXTS.new}
      action={webhook ? texts.save : texts.create}
      task={saving}
      failure={webhook ? texts.notChanged : texts.notCreated}
      meaning={texts.meaning}
      isIncomplete={chosen.size === 0}
      note={<span className="soft">{texts.chosen(chosen.size)}</span>}
      onClose={onClose}
    >
      <Field label={texts.endpoint} hint={texts.endpointHint}>
        {(ids) => (
          <input
            {...ids}
            type="url"
            className="mono"
            required
            placeholder={texts.endpointExample}
            value={endpoint}
            onChange={({ target }) => setEndpoint(target.value)}
          />
        )}
      </Field>
      <EventChoice chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}
