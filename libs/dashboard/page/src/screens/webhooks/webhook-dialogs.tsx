import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Webhook } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { TEXTS } from './texts';
import { webhookQuery, webhooksQuery } from './webhook-queries';

interface WebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

interface AskProps extends WebhookDialogProps {
  texts: { title: string; action: string; failure: string; effect: string };
  isDangerous?: boolean;
  act: () => Promise<unknown>;
}

/** Asks for a confirmation, runs the action, and shows the changed endpoint. */
function Ask({ webhook, onClose, texts, isDangerous = false, act }: AskProps) {
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
      title={texts.title}
      action={texts.action}
      isDangerous={isDangerous}
      task={doing}
      failure={texts.failure}
      onClose={onClose}
    >
      <p>{texts.effect}</p>
    </FormDialog>
  );
}

export function DisableWebhook(props: WebhookDialogProps) {
  const act = () => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'disabled' } });
  return <Ask {...props} texts={TEXTS.disabling} isDangerous act={act} />;
}

export function EnableWebhook(props: WebhookDialogProps) {
  const act = () => api('PATCH', `webhooks/${props.webhook.id}`, { body: { status: 'enabled' } });
  return <Ask {...props} texts={TEXTS.enabling} act={act} />;
}

export function RotateSecret(props: WebhookDialogProps) {
  const act = () => api('POST', `webhooks/${props.webhook.id}/signing-secret/rotate`);
  return <Ask {...props} texts={TEXTS.rotating} act={act} />;
}

export function DeleteWebhook(props: WebhookDialogProps) {
  const [, navigate] = useLocation();
  const act = async () => {
    await api('DELETE', `webhooks/${props.webhook.id}`);
    navigate('/webhooks', { replace: true });
  };
  return <Ask {...props} texts={TEXTS.deleting} isDangerous act={act} />;
}
