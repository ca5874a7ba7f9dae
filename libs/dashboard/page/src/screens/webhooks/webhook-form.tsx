import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';
import { EventChoice } from './event-choice';
import { EVENT_TYPES } from './event-groups';
import { webhookQuery, webhooksQuery } from './webhook-queries';

interface WebhookFormProps {
  /** Undefined: a new one. */
  webhook?: Webhook;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Asks where requests go and what they tell of. */
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog title={webhook ? 'Edit the webhook' : 'New webhook'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Endpoint" hint="Where events are posted to.">
          {(ids) => (
            <input
              {...ids}
              type="url"
              className="mono"
              required
              placeholder="https://example.com/webhooks"
              value={endpoint}
              onChange={({ target }) => setEndpoint(target.value)}
            />
          )}
        </Field>
        <EventChoice chosen={chosen} onChange={setChosen} />
        {saving.error && (
          <Problem
            what={webhook ? 'The webhook could not be changed' : 'The webhook could not be made'}
            error={saving.error}
            meaning="Emails are sent as before."
          />
        )}
        <div className="bar">
          <button type="submit" className="primary" disabled={saving.isPending || chosen.size === 0}>
            {webhook ? 'Save the webhook' : 'Make the webhook'}
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <span className="soft">{chosen.size} events chosen</span>
        </div>
      </form>
    </Dialog>
  );
}
