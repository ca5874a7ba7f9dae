import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TEST_EVENT_TYPES } from 'nestjs-emails/facts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { QuestionDialog } from '../../parts/question-dialog';
import { TEXTS } from './texts';
import { logKey } from './webhook-queries';

interface SendTestEventProps {
  webhook: Webhook;
  onClose: () => void;
}

const TYPES: readonly string[] = TEST_EVENT_TYPES;

/** Sends an event of made-up data to an endpoint, and opens it. */
export function SendTestEvent({ webhook, onClose }: SendTestEventProps) {
  const [type, setType] = useState(webhook.events.find((event) => TYPES.includes(event)) ?? TYPES[0]);
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const sending = useMutation({
    mutationFn: () => api<{ id: string }>('POST', `webhooks/${webhook.id}/test`, { body: { type } }),
    onSuccess: ({ id }) => {
      onClose();
      void client.invalidateQueries({ queryKey: logKey(webhook.id) });
      navigate(`/webhooks/${webhook.id}/${id}`);
    },
  });
  return (
    <QuestionDialog
      title={TEXTS.testTitle}
      action={TEXTS.testAction}
      task={sending}
      failure={TEXTS.testFailed}
      lead={TEXTS.testLead}
      label={TEXTS.testType}
      onClose={onClose}
    >
      {(ids) => (
        <select {...ids} value={type} onChange={({ target }) => setType(target.value)}>
          {TYPES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </QuestionDialog>
  );
}
