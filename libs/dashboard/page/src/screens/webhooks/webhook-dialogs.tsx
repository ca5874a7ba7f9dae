import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { webhookQuery, webhooksQuery } from './webhook-queries';

interface WebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

interface AskProps extends WebhookDialogProps {
  title: string;
  action: string;
  isDangerous?: boolean;
  /** What was to be done, should it be refused. */
  failed: string;
  act: () => Promise<unknown>;
  children: ReactNode;
}

/** Asks once, does it, and shows the endpoint as it is then. */
function Ask({ webhook, onClose, title, action, isDangerous = false, failed, act, children }: AskProps) {
  const client = useQueryClient();
  const doing = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      await client.invalidateQueries({ queryKey: webhookQuery(webhook.id).queryKey });
    },
  });
  return (
    <Confirm
      title={title}
      action={action}
      isDangerous={isDangerous}
      isBusy={doing.isPending}
      onConfirm={() => doing.mutate()}
      onClose={onClose}
    >
      <p>{children}</p>
      {doing.error && <Problem what={failed} error={doing.error} />}
    </Confirm>
  );
}

export function DisableWebhook(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Disable the webhook?"
      action="Disable it"
      isDangerous
      failed="The webhook could not be disabled"
      act={() => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'disabled' } })}
    >
      Nothing more is sent to it. What waits to be sent, or to be tried again, is dropped, and does not come back when
      it is enabled again. Its log stays. Emails are sent as before.
    </Ask>
  );
}

export function EnableWebhook(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Enable the webhook?"
      action="Enable it"
      failed="The webhook could not be enabled"
      act={() => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'enabled' } })}
    >
      It is told of what happens from then on. What happened while it was disabled is not sent to it.
    </Ask>
  );
}

export function RotateSecret(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Rotate the signing secret?"
      action="Rotate it"
      failed="The signing secret could not be rotated"
      act={() => api('POST', `webhooks/${props.webhook.id}/signing-secret/rotate`)}
    >
      A new secret is made and shown here. For 24 hours requests are signed with both, the old and the new one: put the
      new one into your server in that time.
    </Ask>
  );
}

export function DeleteWebhook(props: WebhookDialogProps) {
  const [, navigate] = useLocation();
  const act = async () => {
    await api('DELETE', `webhooks/${props.webhook.id}`);
    navigate('/webhooks', { replace: true });
  };
  return (
    <Ask
      {...props}
      title="Delete the webhook?"
      action="Delete the webhook"
      isDangerous
      failed="The webhook could not be deleted"
      act={act}
    >
      Nothing more is sent to it, what waits is dropped, and its log is deleted with it. It cannot be brought back.
      Emails are sent as before.
    </Ask>
  );
}
