import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { webhookQuery, webhooksQuery } from './webhook-queries';

interface WebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

interface AskProps extends WebhookDialogProps {
  title: string;
  action: string;
  isDangerous?: boolean;
  failure: string;
  act: () => Promise<unknown>;
  children: ReactNode;
}

/** Asks for a confirmation, runs the action, and shows the changed endpoint. */
function Ask({ webhook, onClose, title, action, isDangerous = false, failure, act, children }: AskProps) {
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
    <FormDialog
      title={title}
      action={action}
      isDangerous={isDangerous}
      task={doing}
      failure={failure}
      onClose={onClose}
    >
      <p>{children}</p>
    </FormDialog>
  );
}

export function DisableWebhook(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Disable the webhook?"
      action="Disable it"
      isDangerous
      failure="The webhook could not be disabled"
      act={() => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'disabled' } })}
    >
      Nothing more is sent to it. Pending events are dropped, and are not restored when it is enabled again. Its log
      stays. Emails are sent as before.
    </Ask>
  );
}

export function EnableWebhook(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Enable the webhook?"
      action="Enable it"
      failure="The webhook could not be enabled"
      act={() => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'enabled' } })}
    >
      It receives events from then on. Events from the time while it was disabled are not sent.
    </Ask>
  );
}

export function RotateSecret(props: WebhookDialogProps) {
  return (
    <Ask
      {...props}
      title="Rotate the signing secret?"
      action="Rotate it"
      failure="The signing secret could not be rotated"
      act={() => api('POST', `webhooks/${props.webhook.id}/signing-secret/rotate`)}
    >
      A new secret is created and shown here. For 24 hours requests are signed with both secrets: configure the new one
      in your server in that time.
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
      failure="The webhook could not be deleted"
      act={act}
    >
      Nothing more is sent to it, pending events are dropped, and its log is deleted. It cannot be restored. Emails are
      sent as before.
    </Ask>
  );
}
